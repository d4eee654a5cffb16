/** Web Push on the page: names of browsers, obstacles, whom an alert reaches, what is shown. */
import { expect, it } from 'vitest';
import type { PushPayload } from '../../../shared/rules/push-payload.ts';
import { isReached } from '../../../web/lib/push/audience.ts';
import { browserLabel } from '../../../web/lib/push/browser-label.ts';
import { type PushFacts, pushObstacle } from '../../../web/lib/push/push-obstacle.ts';
import { pushNotification } from '../../../web/lib/push/push-notification.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`,
    'Chrome on Android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`,
    'Chrome on macOS',
  ],
  ['curl/8.14', 'Browser'],
])('WP14 a browser that says %s is named', (userAgent, label) => {
  expect(browserLabel(userAgent)).toBe(label);
});

const GOOD: PushFacts = {
  isSecure: true,
  hasWorkers: true,
  hasPush: true,
  permission: 'default',
  isHandheldApple: false,
};

it.each<[Partial<PushFacts>, string | null, RegExp]>([
  [{}, null, /^$/],
  [{ permission: 'granted' }, null, /^$/],
  [{ isSecure: false, permission: 'denied' }, 'unsupported', /https or on localhost/],
  [{ hasPush: false, isHandheldApple: true }, 'unsupported', /Home Screen/],
  [{ hasWorkers: false }, 'unsupported', /has no Web Push/],
  [{ permission: undefined }, 'unsupported', /has no Web Push/],
  [{ permission: 'denied' }, 'blocked', /site settings/],
])('WP14 a browser with %j: %s', (facts, kind, text) => {
  const obstacle = pushObstacle({ ...GOOD, ...facts });
  expect(obstacle?.kind ?? null).toBe(kind);
  expect(obstacle?.text ?? '').toMatch(text);
});

it.each([
  ['viewer', 'Noor', 'viewer', true],
  ['operator', 'Noor', 'viewer', false],
  ['operator', 'Mia', 'admin', true],
  ['Mia', 'Mia', 'viewer', true],
  ['Mia', 'Noor', 'admin', false],
  ['viewer', null, null, false],
] as const)('WP4 an alert to %s reaches %s (%s): %s', (to, name, role, reached) => {
  const rule = { enabled: true, target: { kind: 'push', to } as const, steps: [] };
  expect(isReached([rule], { name, role })).toBe(reached);
  const target = { kind: 'command' as const, argv: ['true'] };
  const later = { ...rule, target, steps: [{ after_minutes: 5, target: rule.target }] };
  expect(isReached([later], { name, role })).toBe(reached);
  expect(
    isReached(
      [
        { ...rule, enabled: false },
        { ...rule, target },
      ],
      { name, role },
    ),
  ).toBe(false);
});

const PAYLOAD: PushPayload = {
  title: 'Loop web: Crashed too often',
  text: 'What happened',
  path: '/sessions/web',
  tag: 'loop:web',
  at: 1,
  open: 0,
  acknowledge: null,
  answers: [],
  ticket: null,
};

it('WP13 a notification has the actions that its message can take, two at most', () => {
  const actions = (more: Partial<PushPayload>) =>
    pushNotification({ ...PAYLOAD, ...more }).options.actions.map(({ action }) => action);
  expect(actions({})).toEqual([]);
  expect(actions({ acknowledge: '/acknowledge#t' })).toEqual(['acknowledge']);
  expect(actions({ answers: ['deny'], ticket: 't' })).toEqual(['deny']);
  const all = { answers: ['allow', 'deny'], ticket: 't', acknowledge: '/acknowledge#t' } as const;
  expect(actions({ ...all, answers: [...all.answers] })).toEqual(['allow', 'deny']);
});

it('WP13 a notification keeps what a press on it needs, and nothing else', () => {
  const { options } = pushNotification({ ...PAYLOAD, ticket: 't', answers: ['allow'] });
  expect(options.data).toEqual({ path: '/sessions/web', acknowledge: null, ticket: 't' });
  expect(options).toMatchObject({ tag: 'loop:web', renotify: true, requireInteraction: true });
  expect(pushNotification(PAYLOAD).options.requireInteraction).toBe(false);
});
