/** What a webhook receives, what counts as an answer, and when a delivery is retried. */
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { AlertHome, loopFailed } from '../../support/alerts/alert-home.ts';
import { eventRecord } from '../../support/events/event-record.ts';
import { until } from '../../support/house/until.ts';
import { silent, WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';

const SECOND_MS = 1_000;
const PAUSES_MS = [5, 300, 1_800, 7_200, 18_000, 36_000].map((seconds) => seconds * SECOND_MS);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function webhook({ url }: WebhookReceiver) {
  return { kind: 'webhook', url, secret: SECRET } as const;
}

it('AL2, AL3, AL5, AL9 an event becomes one signed POST, and only that event', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  home.emit(loopFailed('before'));
  const rule = home.rule(webhook(receiver), { name: 'failed', types: ['auto.failed'] });
  home.emit(loopFailed('web', 'quota'), { type: 'daemon.stopping', data: {} });
  await home.attempted(1);
  const [delivery] = home.deliveries();
  expect(home.deliveries()).toHaveLength(1);
  expect(delivery).toMatchObject({
    rule,
    seq: 2,
    type: 'auto.failed',
    session: 'web',
    state: 'sent',
    attempts: 1,
    status: 204,
    error: null,
    next_try_at: null,
  });
  const [got] = receiver.got;
  expect(got).toMatchObject({ method: 'POST', path: '/hook' });
  expect(got?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'loopwatch/0',
    'webhook-id': delivery?.id,
    'webhook-timestamp': String(home.clock.now() / 1000),
  });
  // The library does not use the test's clock, so the signature is computed again.
  const signature = new Webhook(SECRET).sign(
    delivery?.id ?? '',
    new Date(home.clock.now()),
    got?.body ?? '',
  );
  expect(got?.headers['webhook-signature']).toBe(signature);
  const at = new Date(home.clock.now()).toISOString();
  const record = { ...eventRecord(loopFailed('web', 'quota'), 2, at), epoch: home.log.epoch };
  expect(receiver.bodies).toEqual([{ type: 'auto.failed', timestamp: at, data: record }]);
  const about = { rule, name: 'failed', delivery: delivery?.id, seq: 2, type: 'auto.failed' };
  expect(home.alertEvents()).toMatchObject([
    { type: 'alert.sent', data: { ...about, attempt: 1, status: 204 } },
  ]);
});

it('AL3, AL6, AL9 a receiver that answers 500 is tried seven times, then the delivery is dead', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(500));
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  const times = [home.clock.now()];
  await home.attempted(1);
  for (const [index, pause] of PAUSES_MS.entries()) {
    home.clock.advance(pause - 1);
    expect(home.deliveries()[0]).toMatchObject({ attempts: index + 1, state: 'waiting' });
    home.clock.advance(1);
    times.push(home.clock.now());
    await home.attempted(index + 2);
  }
  const [delivery] = home.deliveries();
  expect(delivery).toMatchObject({
    state: 'dead',
    attempts: 7,
    status: 500,
    error: 'HTTP 500',
    next_try_at: null,
  });
  expect(receiver.ids).toEqual(times.map(() => delivery?.id));
  expect(receiver.got.map(({ headers }) => headers['webhook-timestamp'])).toEqual(
    times.map((time) => String(time / 1000)),
  );
  const planned = times.slice(1).map((time) => new Date(time).toISOString());
  expect(
    home.alertEvents().map(({ data }) => (data as { next_try_at: unknown }).next_try_at),
  ).toEqual([...planned, null]);
  expect(home.clock.pending).toBe(0);
});

it('AL6 a closed port is retried, and waiting deliveries arrive when it is open', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  await receiver.close();
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  expect(home.deliveries()[0]).toMatchObject({
    state: 'waiting',
    status: null,
    error: 'no connection (ECONNREFUSED)',
    next_try_at: new Date(home.clock.now() + 5 * SECOND_MS).toISOString(),
  });
  await receiver.listen();
  home.clock.advance(5 * SECOND_MS);
  await home.attempted(2);
  expect(home.deliveries()[0]).toMatchObject({ state: 'sent', status: 204, error: null });
});

it('AL22 no answer within 10 s is a failure', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(silent);
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  await until('it was asked', () => receiver.got.length);
  home.clock.advance(10 * SECOND_MS - 1);
  expect(home.deliveries()[0]?.attempts).toBe(0);
  home.clock.advance(1);
  await home.attempted(1);
  expect(home.deliveries()[0]?.error).toBe('no answer within 10 s');
});

it('AL22 an answer that never ends is cut off, and counts by its status', async () => {
  await using home = new AlertHome();
  let cut = false;
  await using receiver = await WebhookReceiver.open((response) => {
    response.writeHead(200);
    const more = () => void response.write(Buffer.alloc(4096), more);
    response.on('close', () => (cut = true));
    response.on('error', () => undefined);
    more();
  });
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  expect(home.deliveries()[0]).toMatchObject({ state: 'sent', status: 200 });
  await until('the receiver was cut off', () => cut);
});

it('AL22 a redirect is not followed', async () => {
  await using home = new AlertHome();
  await using other = await WebhookReceiver.open();
  await using receiver = await WebhookReceiver.open(withStatus(307, { location: other.url }));
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  expect(home.deliveries()[0]).toMatchObject({ state: 'waiting', status: 307 });
  home.clock.advance(5 * SECOND_MS);
  await home.attempted(2);
  expect([receiver.got.length, other.got.length]).toEqual([2, 0]);
});

it('AL12, AL16, AL25 410 ends the delivery at once and disables the rule; a retry needs it enabled', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(410));
  const rule = home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('web'), loopFailed('db'));
  await home.attempted(1);
  expect(home.alerts.list('admin')).toMatchObject([{ enabled: false, waiting: 1 }]);
  const [first, second] = home.deliveries();
  expect([first, second]).toMatchObject([
    { state: 'dead', attempts: 1, status: 410 },
    { state: 'waiting', attempts: 0, next_try_at: null },
  ]);
  expect(() => home.alerts.retry(first?.id ?? '')).toThrow('loopwatch alert enable');
  expect(() => home.alerts.retry(second?.id ?? '')).toThrow('waiting');
  receiver.answer = withStatus(200);
  home.emit(loopFailed('unseen'));
  home.alerts.change(rule, { enabled: true });
  home.alerts.retry(first?.id ?? '');
  await home.attempted(3);
  // Events from the time it was disabled are not delivered.
  expect(home.deliveries().map(({ session, state }) => [session, state])).toEqual([
    ['web', 'sent'],
    ['db', 'sent'],
  ]);
});

it('AL25 410 of a target that was changed meanwhile disables nothing', async () => {
  await using home = new AlertHome();
  await using other = await WebhookReceiver.open(withStatus(200));
  await using receiver = await WebhookReceiver.open((response, got) => {
    home.alerts.change(rule, { target: webhook(other) });
    withStatus(410)(response, got);
  });
  const rule = home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  expect(home.deliveries()).toMatchObject([{ state: 'dead', status: 410 }]);
  expect(home.alerts.list('admin')).toMatchObject([{ enabled: true }]);
});

it('AL6 deliveries waiting behind a receiver that is down for good are dead a day after their event', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(500));
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('a'), loopFailed('b'), loopFailed('c'));
  // One after the other through the pauses: 7 attempts in 17.6 h, then 5 up to 20.2 h, …
  const steps = [0, ...PAUSES_MS, 0, ...PAUSES_MS.slice(0, 4), 0, ...PAUSES_MS.slice(0, 4)];
  for (const [index, pause] of steps.entries()) {
    home.clock.advance(pause);
    await home.attempted(index + 1);
  }
  expect(home.deliveries().map(({ state, attempts }) => [state, attempts])).toEqual([
    ['dead', 7],
    ['dead', 5],
    ['dead', 5],
  ]);
});

it('AL24 Retry-After makes the pause longer', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(429, { 'retry-after': '90' }));
  home.rule(webhook(receiver), { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  home.clock.advance(90 * SECOND_MS - 1);
  expect(home.deliveries()[0]?.attempts).toBe(1);
  home.clock.advance(1);
  await home.attempted(2);
});
