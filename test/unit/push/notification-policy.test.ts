/** Who is notified of a new item, and how. */
import { expect, it } from 'vitest';
import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';
import {
  notificationText,
  UNTOUCHED,
  parseChoices,
  type Situation,
  notificationFor,
} from '../../../web/lib/notify/notification-policy.ts';

const ITEM: AttentionItem = {
  id: 'a',
  subject: { kind: 'session', id: 'web' },
  session: 'web',
  task: null,
  reason: 'permission',
  title: 'Bash: ls',
  detail: 'command: ls',
  request: null,
  raised_at: '2026-01-01T00:00:00.000Z',
  cleared_at: null,
  outcome: null,
  by: null,
  answer: null,
};
const ALL = { notices: true, sound: true, quietWhileSeen: true, badge: true };
const AWAY: Situation = {
  isSpeaker: true,
  isSeen: false,
  permission: 'granted',
  lastSoundAt: null,
};
const NOW = 100_000;

it('NO1 nothing notifies before it is switched on, or without the permission of the browser', () => {
  expect(notificationFor([ITEM], UNTOUCHED, AWAY, NOW)).toEqual({ show: [], sound: false });
  for (const permission of ['denied', 'default', 'unsupported'] as const) {
    expect(notificationFor([ITEM], ALL, { ...AWAY, permission }, NOW).show).toEqual([]);
  }
  expect(notificationFor([ITEM], ALL, AWAY, NOW)).toEqual({ show: [ITEM], sound: true });
});

it('NO2 nothing is shown while a page is in sight, and only one tab notifies', () => {
  expect(notificationFor([ITEM], ALL, { ...AWAY, isSeen: true }, NOW)).toEqual({
    show: [],
    sound: false,
  });
  const loud = { ...ALL, quietWhileSeen: false };
  expect(notificationFor([ITEM], loud, { ...AWAY, isSeen: true }, NOW)).toEqual({
    show: [],
    sound: true,
  });
  const silent = notificationFor([ITEM], loud, { ...AWAY, isSpeaker: false }, NOW);
  expect(silent).toEqual({ show: [], sound: false });
  expect(notificationFor([], ALL, AWAY, NOW)).toEqual({ show: [], sound: false });
});

it('NO3 the sound is played at most once in ten seconds', () => {
  const at = (lastSoundAt: number) =>
    notificationFor([ITEM], ALL, { ...AWAY, lastSoundAt }, NOW).sound;
  expect([at(NOW - 9_999), at(NOW - 10_000)]).toEqual([false, true]);
});

it('NO4 the text is session, reason and title, without invisible characters and without the input', () => {
  expect(notificationText(ITEM)).toEqual({ title: 'web: Permission', body: 'Bash: ls' });
  const evil = { ...ITEM, title: `a\u202e${'b'.repeat(500)}`, detail: 'secret' };
  const { body } = notificationText(evil);
  expect(body).toMatch(/^a\\u\{202e\}b+…$/);
  expect(body).toHaveLength(160);
});

it('NO1 a stored choice that cannot be read changes nothing; a switched off badge stays off', () => {
  const odd = [null, '', 'null', '[]', '{"notices":"yes"}', '{', '3'];
  for (const text of odd) expect(parseChoices(text)).toEqual(UNTOUCHED);
  expect(parseChoices('{"badge":false}').badge).toBe(false);
  expect(parseChoices(JSON.stringify(ALL))).toEqual(ALL);
});
