/** The call that says all is well: when it is made, when it is not, and what the daemon shows of it. */
import { expect, it, onTestFinished } from 'vitest';
import { CheckIn } from '../../../server/alerts/check-in.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { until } from '../../support/house/until.ts';
import { WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';

const EVERY_MS = 60_000;

/** Counts the pauses that have begun: a request has a timer too. */
class CountingClock extends ManualClock {
  pauses = 0;

  override after(delayMs: number, act: () => void) {
    if (delayMs === EVERY_MS) this.pauses += 1;
    return super.after(delayMs, act);
  }
}

function open(url: string | null, trouble: () => string | null = () => null) {
  const clock = new CountingClock();
  const said: string[] = [];
  const say = (_fields: unknown, message?: string) => void said.push(message ?? String(_fields));
  const logger = { info: say, warn: say, error: say };
  const checkIn = new CheckIn({ url, everyMs: EVERY_MS, clock, logger, version: '1', trouble });
  onTestFinished(async () => checkIn.dispose());
  /** The next call, once the last one has ended. */
  let calls = 0;
  const next = async () => {
    calls += 1;
    await until('the pause has begun', () => clock.pauses === calls);
    clock.advance(EVERY_MS);
  };
  return { clock, said, checkIn, next };
}

it('AL77 the URL is called at the start and after each pause, with no body', async () => {
  await using receiver = await WebhookReceiver.open();
  const { checkIn, next, said } = open(receiver.url);
  await until('the first call', () => receiver.got.length === 1);
  await next();
  await until('the second call', () => receiver.got.length === 2);
  expect(receiver.got[1]).toMatchObject({ method: 'GET', path: '/hook', body: '' });
  expect(receiver.got[1]?.headers['user-agent']).toBe('loopwatch/1');
  // The path is a secret: with it, the alarm could be kept silent.
  const detail = `127.0.0.1:${receiver.port}, every 60 s`;
  expect(checkIn.check()).toEqual({ name: 'check_in', ok: true, detail, fix: null });
  expect(said).toEqual([]);
});

it('AL77 without a URL nothing is called, shown or awaited', () => {
  const { checkIn, clock } = open(null);
  expect(checkIn.check()).toBeNull();
  expect(clock.pending).toBe(0);
});

it('AL78 while something is wrong it is not called, and the check says what', async () => {
  await using receiver = await WebhookReceiver.open();
  let trouble: string | Error | null = 'Alert “all” reached no one';
  const { checkIn, next, said } = open(receiver.url, () => {
    if (trouble instanceof Error) throw trouble;
    return trouble;
  });
  await next();
  expect(checkIn.check()).toMatchObject({
    ok: false,
    detail: expect.stringContaining(': not called: Alert “all” reached no one') as unknown,
  });
  trouble = new Error('database or disk is full');
  await next();
  await until('the other trouble', () => checkIn.check()?.detail.includes('disk is full'));
  expect(receiver.got).toEqual([]);
  trouble = null;
  await next();
  await until('it is called', () => receiver.got.length === 1);
  await until('all is well', () => checkIn.check()?.ok === true);
  expect(said).toEqual(['check-in failed', 'check-in failed', 'check-in works again']);
});

it('AL78 a receiver that refuses is named, said once, and called again', async () => {
  await using receiver = await WebhookReceiver.open(withStatus(503));
  const { checkIn, next, said } = open(receiver.url);
  await next();
  await next();
  await until('the third call', () => receiver.got.length === 3);
  expect(checkIn.check()).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/: HTTP 503$/) as unknown,
    fix: expect.stringContaining('LOOPWATCH_CHECK_IN_URL') as unknown,
  });
  expect(said).toEqual(['check-in failed']);
});

it('AL78 a stop ends a call that hangs', async () => {
  await using receiver = await WebhookReceiver.open(() => undefined);
  const { checkIn, clock } = open(receiver.url);
  await until('the call', () => receiver.got.length === 1);
  await checkIn.dispose();
  expect(clock.pending).toBe(0);
});
