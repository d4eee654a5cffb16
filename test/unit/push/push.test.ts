/** Web Push without a daemon: keys, addresses of push services, what a browser is sent. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PUSH_SERVICES } from '../../../server/lib/config/settings.ts';
import { SigningKey } from '../../../server/lib/signing-key.ts';
import { isAddressed } from '../../../server/push/addressees.ts';
import { AnswerTickets } from '../../../server/push/answer-tickets.ts';
import { aboutOf, askOf, encodePayload } from '../../../server/push/push-payload.ts';
import { pushRequest } from '../../../server/push/push-request.ts';
import { endpointObstacle } from '../../../server/push/push-service.ts';
import { keepVapidKeys } from '../../../server/push/vapid-keys.ts';
import type { PushPayload } from '../../../shared/rules/push-payload.ts';
import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';
import { PushBrowser, senderOf } from '../../support/alerts/push-service.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const NOW = Date.UTC(2026, 10, 22);
const ITEM = 'a'.repeat(20);
const MESSAGE = {
  title: 'Session web: Needs permission',
  text: 'What happened: Needs permission',
  link: 'https://loop.example/inbox',
  acknowledge: null,
  isUrgent: true,
};
const ABOUT = { tag: `attention:${ITEM}`, item: ITEM, atMs: NOW };

function asked(detail: string, more: Partial<AttentionItem> = {}): AttentionItem {
  return {
    id: ITEM,
    subject: { kind: 'session', id: 'web' },
    session: 'web',
    task: null,
    reason: 'permission',
    title: 'Bash: npm test',
    detail,
    request: { tool: 'Bash', input: { command: detail }, questions: [] },
    raised_at: '2026-11-22T00:00:00.000Z',
    cleared_at: null,
    outcome: null,
    by: null,
    answer: null,
    ...more,
  };
}

function decode(text: string): PushPayload {
  return JSON.parse(text) as PushPayload;
}

it('WP1 the key pair is made once, is readable by its owner alone and is replaced when truncated', () => {
  const home = mkdtempSync(join(TEST_ROOT, 'k'));
  const first = keepVapidKeys(home);
  const file = join(home, 'push-key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(keepVapidKeys(home)).toEqual(first);
  expect(Buffer.from(first.publicKey, 'base64url').length).toBe(65);
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20));
  expect(keepVapidKeys(home).publicKey).not.toBe(first.publicKey);
  rmSync(home, { recursive: true });
});

it.each([
  ['https://fcm.googleapis.com/fcm/send/x', null],
  ['https://web.push.apple.com/x', null],
  ['https://updates.push.services.mozilla.com/wpush/v2/x', null],
  ['https://wns2-by3p.notify.windows.com/w/?token=x', null],
  ['https://push.services.mozilla.com/x', 'is not a known push service'],
  ['https://fcm.googleapis.com.evil.example/x', 'is not a known push service'],
  ['https://evil-push.apple.com.example/x', 'is not a known push service'],
  ['https://fcm.googleapis.com:8443/x', 'is not a known push service'],
  ['https://127.0.0.1/x', 'is not a known push service'],
  ['http://127.0.0.1:22/x', 'is not a known push service'],
  ['http://fcm.googleapis.com/x', 'must be an https URL'],
  ['https://user@fcm.googleapis.com/x', 'no credentials'],
  ['https://fcm.googleapis.com/x#y', 'no #'],
  ['https://fcm.googleapis.com\\@evil.example/x', 'must be an https URL'],
  ['https://fcm.googleapis.com/a b', 'must be an https URL'],
  ['file:///etc/passwd', 'must be an https URL'],
  ['', 'must be an https URL'],
])('WP3 the endpoint %s: %s', (endpoint, obstacle) => {
  const found = endpointObstacle(endpoint, PUSH_SERVICES);
  if (obstacle === null) expect(found).toBeNull();
  else expect(found).toContain(obstacle);
});

it('WP3 a listed host is reached over http only on this machine', () => {
  expect(endpointObstacle('http://127.0.0.1:8/x', ['127.0.0.1:8'])).toBeNull();
  expect(endpointObstacle('http://[::1]:8/x', ['[::1]:8'])).toBeNull();
  expect(endpointObstacle('http://push.example/x', ['push.example'])).toBe('must be an https URL');
  expect(endpointObstacle('http://127.0.0.1.example/x', ['*.example'])).toBe(
    'must be an https URL',
  );
});

it.each([
  ['viewer', ['admin', 'Mia', 'Noor']],
  ['operator', ['admin', 'Mia']],
  ['admin', ['admin']],
  ['Mia', ['Mia']],
  ['mia', ['Mia']],
  ['Ada', []],
])('WP4 a target of %s reaches %j', (to, names) => {
  const people = [
    { name: 'admin', role: 'admin' },
    { name: 'Mia', role: 'operator' },
    { name: 'Noor', role: 'viewer' },
  ] as const;
  expect(people.filter((one) => isAddressed(to, one)).map(({ name }) => name)).toEqual(names);
});

it('WP5 the message is encrypted for the browser alone, and names the daemon to its push service', () => {
  const home = mkdtempSync(join(TEST_ROOT, 'k'));
  const browser = new PushBrowser('https://push.example', '/x');
  const { endpoint, keys } = browser.subscription('Chrome');
  const own = keepVapidKeys(home);
  const contact = 'https://loop.example';
  const envelope = { keys: own, contact, tag: 'loop:web', isUrgent: true, nowMs: NOW };
  const request = pushRequest({ endpoint, ...keys }, '{"title":"Grüße"}', envelope);
  expect(browser.decrypt(request.body).toString()).toBe('{"title":"Grüße"}');
  const other = new PushBrowser('https://push.example', '/y');
  expect(() => other.decrypt(request.body)).toThrow();
  const { claims, key } = senderOf(request);
  const exp = NOW / 1000 + 12 * 3600;
  expect({ claims, key }).toEqual({
    claims: { aud: 'https://push.example', exp, sub: contact },
    key: own.publicKey,
  });
  expect(request.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: '86400',
    urgency: 'high',
    topic: expect.stringMatching(/^[\w-]{32}$/) as unknown,
  });
  rmSync(home, { recursive: true });
});

it.each([
  ['letters', 'x'],
  ['umlauts', 'ü'],
  ['symbols of four bytes', '🙂'],
  ['control characters', '\u0001'],
])('WP6 a message of many %s stays below 4 KB encrypted, and readable', (_, character) => {
  const long = { ...MESSAGE, title: character.repeat(120), text: character.repeat(5_000) };
  const answer = { ask: null, ticket: null, open: 3 };
  const encoded = encodePayload(long, ABOUT, answer);
  expect(Buffer.byteLength(encoded) + 103).toBeLessThanOrEqual(4096);
  const { text } = decode(encoded);
  expect(text.length).toBeGreaterThan(100);
  expect(long.text.startsWith(text)).toBe(true);
});

it('WP6 a message has title, text, page, tag, badge and what it acknowledges, and no address', () => {
  const acknowledge = 'https://loop.example/acknowledge#t';
  const message = { ...MESSAGE, acknowledge };
  const encoded = encodePayload(
    message,
    { tag: 'loop:web', item: null, atMs: NOW },
    {
      ask: null,
      ticket: null,
      open: 2,
    },
  );
  expect(decode(encoded)).toEqual({
    title: MESSAGE.title,
    text: MESSAGE.text,
    path: '/inbox',
    tag: 'loop:web',
    at: NOW,
    open: 2,
    acknowledge: '/acknowledge#t',
    answers: [],
    ticket: null,
  });
});

it('WP7 what is about the same thing has the same tag', () => {
  const body = (type: string, id: string) =>
    JSON.stringify({
      type,
      timestamp: '2026-11-22T00:00:00.000Z',
      data: { subject: { kind: 'session', id: 'web' }, data: { id } },
    });
  expect(aboutOf(body('attention.raised', ITEM))).toEqual(ABOUT);
  expect(aboutOf(body('attention.cleared', ITEM))).toEqual(ABOUT);
  expect(aboutOf(body('session.closed', ITEM)).tag).toBe('session:web');
  const digest = { events: 2, last_at: '2026-11-22T00:00:00.000Z', subjects: ['session:web'] };
  const both = JSON.stringify({ ...JSON.parse(body('attention.raised', ITEM)), digest });
  expect(aboutOf(both)).toMatchObject({ tag: 'attention.raised', item: null });
});

it('WP8 a request shown whole can be allowed, a longer one only denied, a question neither', () => {
  const answers = (item: AttentionItem | null) => askOf(item)?.answers ?? [];
  expect(answers(asked('x'.repeat(300)))).toEqual(['allow', 'deny']);
  expect(answers(asked('x'.repeat(301)))).toEqual(['deny']);
  expect(askOf(asked('x'.repeat(301)))?.text).toBe(`${'x'.repeat(299)}…`);
  const questions = [{ question: 'Which?', header: '', options: [], multi_select: false }];
  expect(answers(asked('x', { request: { tool: 'Ask', input: {}, questions } }))).toEqual([]);
  expect(answers(asked('x', { request: null }))).toEqual([]);
  expect(answers(asked('x', { cleared_at: '2026-11-22T00:00:00.000Z' }))).toEqual([]);
  expect(answers(null)).toEqual([]);
});

it('WP8 without a ticket a message has no answer and none of the request', () => {
  const ask = askOf(asked('rm -rf build'));
  const shown = decode(encodePayload(MESSAGE, ABOUT, { ask, ticket: null, open: 1 }));
  expect(shown).toMatchObject({ text: MESSAGE.text, answers: [], ticket: null });
  const mine = decode(encodePayload(MESSAGE, ABOUT, { ask, ticket: 't', open: 1 }));
  expect(mine).toMatchObject({
    text: 'rm -rf build',
    path: `/inbox?item=${ITEM}`,
    answers: ['allow', 'deny'],
    ticket: 't',
  });
});

it('WP9 a ticket is valid for a day, for one browser and one request, and only unchanged', () => {
  const tickets = new AnswerTickets(new SigningKey(randomBytes(32).toString('base64url')));
  const ticket = { browser: 'b'.repeat(20), item: ITEM };
  const text = tickets.issue(ticket, NOW);
  expect(tickets.verify(text, NOW + 86_399_999)).toEqual(ticket);
  expect(tickets.verify(text, NOW + 86_400_000)).toBeNull();
  for (const wrong of ['', `${text}x`, text.replace('a', 'c'), text.replace('b', 'c')]) {
    expect(tickets.verify(wrong, NOW)).toBeNull();
  }
  const other = new AnswerTickets(new SigningKey(randomBytes(32).toString('base64url')));
  expect(other.verify(text, NOW)).toBeNull();
});
