/** Which deliveries are made, in which order and when, under a clock that the test moves. */
import { expect, it } from 'vitest';
import { AlertHome, loopFailed } from '../../support/alerts/alert-home.ts';
import { until } from '../../support/house/until.ts';
import { silent, WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const PAUSES_MS = [5, 300, 1_800, 7_200, 18_000, 36_000].map((seconds) => seconds * SECOND_MS);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function webhook({ url }: WebhookReceiver) {
  return { kind: 'webhook', url, secret: SECRET } as const;
}

it('AL32 a dead delivery gets one more attempt each time a retry is requested', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(500));
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  for (const [index, pause] of [0, ...PAUSES_MS].entries()) {
    home.clock.advance(pause);
    await home.attempted(index + 1);
  }
  const id = home.deliveries()[0]?.id ?? '';
  home.alerts.retry(id);
  await home.attempted(8);
  expect(home.deliveries()[0]).toMatchObject({ state: 'dead', attempts: 8 });
  receiver.answer = withStatus(200);
  home.alerts.retry(id);
  await home.attempted(9);
  expect(home.deliveries()[0]).toMatchObject({ state: 'sent', attempts: 9, error: null });
});

it('AL4 deliveries of a rule go in order, and one that failed holds those behind it', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(500));
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('a'), loopFailed('b'));
  home.emit(loopFailed('c'));
  await home.attempted(1);
  expect(receiver.bodies.map(({ data }) => data.session)).toEqual(['a']);
  receiver.answer = withStatus(200);
  home.clock.advance(5 * SECOND_MS);
  await home.attempted(4);
  expect(receiver.bodies.map(({ data }) => data.session)).toEqual(['a', 'a', 'b', 'c']);
});

it('AL20 a slow receiver delays no other rule, and four are served at once', async () => {
  await using home = new AlertHome();
  await using slow = await WebhookReceiver.open(silent);
  await using quick = await WebhookReceiver.open();
  const types = ['auto.failed'];
  for (let n = 0; n < 3; n += 1) home.rule(webhook(slow), { types });
  const rule = home.rule(webhook(quick), { types });
  for (let n = 0; n < 20; n += 1) home.emit(loopFailed(`s${n}`));
  await home.attempted(20, rule);
  expect(quick.bodies.map(({ data }) => data.session)).toEqual(
    Array.from({ length: 20 }, (_, n) => `s${n}`),
  );
  expect(slow.got).toHaveLength(3);
  for (let n = 0; n < 2; n += 1) home.rule(webhook(slow), { types });
  home.emit(loopFailed('last'));
  await until('four wait', () => slow.got.length === 4);
  await home.attempted(20, rule);
  expect({ slow: slow.got.length, quick: quick.got.length }).toEqual({ slow: 4, quick: 20 });
});

it('AL8 in quiet hours deliveries are held until the hours end, except those with an excepted reason', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  // It is midnight, UTC.
  const quiet_hours = {
    from: '22:00',
    to: '07:00',
    time_zone: 'UTC',
    except_reasons: ['quota' as const],
  };
  home.rule(webhook(receiver), { types: ['auto.failed'], quiet_hours });
  home.emit(loopFailed('a'), loopFailed('b', 'quota'), loopFailed('c'));
  await home.attempted(1);
  const times = home.deliveries().map(({ state, next_try_at }) => [state, next_try_at]);
  const end = new Date(home.clock.now() + 7 * HOUR_MS).toISOString();
  expect(times).toEqual([
    ['waiting', end],
    ['sent', null],
    ['waiting', end],
  ]);
  home.clock.advance(7 * HOUR_MS - 1);
  expect(home.deliveries().filter(({ state }) => state === 'waiting')).toHaveLength(2);
  home.clock.advance(1);
  await home.attempted(3);
  expect(receiver.bodies.map(({ data }) => data.session)).toEqual(['b', 'a', 'c']);
});

it('AL2 events committed before the alerts saw them are delivered by the next daemon, once', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('a'));
  await home.attempted(1);
  for (const session of ['b', 'c']) {
    await home.restart((log) => {
      log.write((append) => append(loopFailed(session)));
    });
  }
  await home.restart();
  await home.attempted(3);
  expect(receiver.bodies.map(({ data }) => data.session)).toEqual(['a', 'b', 'c']);
  expect(new Set(receiver.ids).size).toBe(3);
});

it('AL2, AL16 a changed rule begins with the next event, over a restart too', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  const rule = home.rule(webhook(receiver), { types: ['auto.ended'] });
  home.emit(loopFailed('before'));
  home.alerts.change(rule, { types: ['auto.failed'] });
  await home.restart();
  home.emit(loopFailed('after'));
  await home.attempted(1);
  await home.restart();
  expect(home.deliveries().map(({ session }) => session)).toEqual(['after']);
});

it('AL2, AL16 events committed before a change are judged by the earlier rule', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  const rule = home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('before'));
  home.alerts.change(rule, { types: ['auto.ended'] });
  home.emit(loopFailed('after'));
  await home.attempted(1);
  expect(home.deliveries().map(({ session }) => session)).toEqual(['before']);
});

it('AL2, AL16 a new rule gets none of the events that an older one still has to read', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  home.rule(webhook(receiver), { types: ['auto.ended'] });
  home.emit(loopFailed('before'));
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  await home.restart();
  home.emit(loopFailed('after'));
  await home.attempted(1);
  expect(home.deliveries().map(({ session }) => session)).toEqual(['after']);
});

it('AL18 events that no rule selects cost no write, and later events are not lost', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  const changes = () => Number(home.database.raw.prepare('SELECT total_changes()').pluck().get());
  const cursor = () => home.database.raw.prepare('SELECT cursor FROM alert_rules').pluck().get();
  const [before, began] = [changes(), cursor()];
  for (let n = 0; n < 400; n += 1) home.emit({ type: 'daemon.stopping', data: {} });
  await new Promise(setImmediate);
  expect([changes(), cursor()]).toEqual([before + 400, began]);
  for (let n = 0; n < 400; n += 1) home.emit({ type: 'daemon.stopping', data: {} });
  await home.restart();
  home.emit(loopFailed('web'));
  await home.attempted(1);
  expect(cursor()).toBe(801);
});

it('AL29 a rule for all events gets none about alerts', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  home.rule(webhook(receiver));
  home.rule(webhook(receiver), { types: ['alert.sent'] });
  home.emit(loopFailed('web'));
  // One of the first rule, one of the second about it, and none about that one.
  await home.attempted(2);
  home.emit(loopFailed('db'));
  await home.attempted(4);
  expect(receiver.bodies.map(({ type }) => type).sort()).toEqual([
    'alert.sent',
    'alert.sent',
    'auto.failed',
    'auto.failed',
  ]);
});

it('AL33 a finished delivery is removed with its event; one that waits stays', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(410));
  await using other = await WebhookReceiver.open(withStatus(500));
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.rule(webhook(other), { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  await home.attempted(2);
  home.deliveryRows.prune(1);
  expect(
    home
      .deliveries()
      .map(({ state }) => state)
      .sort(),
  ).toEqual(['dead', 'waiting']);
  home.deliveryRows.prune(2);
  expect(home.deliveries().map(({ state }) => state)).toEqual(['waiting']);
});

it('AL13 no timer runs while nothing waits', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  expect(home.clock.pending).toBe(0);
  home.emit({ type: 'daemon.stopping', data: {} }, loopFailed('web'));
  await home.attempted(1);
  expect(home.clock.pending).toBe(0);
});

it('AL13 a deadline that passed while the machine slept is noticed within a minute', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(503, { 'retry-after': '3600' }));
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  home.clock.jumpWall(2 * HOUR_MS);
  home.clock.advance(60 * SECOND_MS);
  await home.attempted(2);
});

it('AL11 a test is sent at once, signed, and is no event and no delivery', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'UTC' };
  const rule = home.rule(webhook(receiver), { name: 'night', enabled: false, quiet_hours });
  const { ok, status, error } = await home.alerts.test(rule);
  expect({ ok, status, error }).toEqual({ ok: true, status: 204, error: null });
  const timestamp = new Date(home.clock.now()).toISOString();
  const data = { test: true, rule, name: 'night' };
  expect(receiver.bodies).toEqual([{ type: 'alert.test', timestamp, data }]);
  expect(receiver.got[0]?.headers['webhook-signature']).toMatch(/^v1,/);
  receiver.answer = withStatus(500);
  expect(await home.alerts.test(rule)).toMatchObject({ ok: false, status: 500, error: 'HTTP 500' });
  expect([home.log.head, home.deliveries()]).toEqual([0, []]);
});

it('AL21 a rule that is removed while it sends leaves nothing behind', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(silent);
  const rule = home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  await until('it was asked', () => receiver.got.length);
  home.alerts.remove(rule);
  home.clock.advance(10 * SECOND_MS);
  await new Promise(setImmediate);
  expect({ rows: home.deliveries(), alertEvents: home.alertEvents(), errors: home.errors }).toEqual(
    {
      rows: [],
      alertEvents: [],
      errors: [],
    },
  );
});
