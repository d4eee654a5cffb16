/** Repeats of one cause in one delivery, under a clock that the test moves. */
import { expect, it } from 'vitest';
import type { Digest } from '../../../server/alerts/deliveries/digest.ts';
import type { AlertDelivery } from '../../../shared/schema/alerts/alerts.ts';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import { AlertHome, loopFailed } from '../../support/alerts/alert-home.ts';
import { Random } from '../../support/house/random.ts';
import { until } from '../../support/house/until.ts';
import { silent, WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';

const MINUTE_MS = 60_000;
const TYPES = { types: ['auto.failed', 'attention.raised'], digest_minutes: 10 };

interface Message {
  data: { session: string; seq: number };
  digest?: Digest;
}

function hook({ url }: WebhookReceiver) {
  return { kind: 'webhook', url } as const;
}

function messages({ got }: WebhookReceiver): Message[] {
  return got.map(({ body }) => JSON.parse(body) as Message);
}

/** How many events each message reports, and its first session. */
function summary(receiver: WebhookReceiver): [string, number][] {
  return messages(receiver).map(({ data, digest }) => [data.session, digest?.events ?? 1]);
}

/** Waits until every event is in a delivery and nothing is due. */
async function settle(home: AlertHome): Promise<void> {
  const emitted = home.log.read(0, 10_000).filter(({ type }) => TYPES.types.includes(type)).length;
  await until('nothing is due', () => {
    const first = home.deliveries().filter(({ step }) => step === 0);
    const taken = first.reduce((sum, { events }) => sum + events, 0);
    const isDue = ({ state, next_try_at: at }: AlertDelivery) =>
      state === 'waiting' && Date.parse(at ?? '') <= home.clock.now();
    return taken === emitted && !home.deliveries().some(isDue);
  });
}

it('AL81 the first event of a cause goes at once, those of the next minutes together at their end', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  home.rule(hook(receiver), TYPES);
  home.emit(loopFailed('a'));
  await settle(home);
  home.emit(loopFailed('b'));
  home.clock.advance(4 * MINUTE_MS);
  home.emit(loopFailed('c'), loopFailed('quota', 'quota'));
  await settle(home);
  expect(summary(receiver)).toEqual([
    ['a', 1],
    ['quota', 1],
  ]);
  home.clock.advance(6 * MINUTE_MS - 1);
  await settle(home);
  expect(receiver.got).toHaveLength(2);
  home.clock.advance(1);
  await settle(home);
  expect(summary(receiver).slice(2)).toEqual([['b', 2]]);
  home.clock.advance(9 * MINUTE_MS);
  home.emit(loopFailed('d'));
  home.clock.advance(MINUTE_MS);
  await settle(home);
  home.clock.advance(10 * MINUTE_MS);
  home.emit(loopFailed('e'));
  await settle(home);
  expect(summary(receiver).slice(3)).toEqual([
    ['d', 1],
    ['e', 1],
  ]);
});

it('AL82 the body keeps its first event and says how many there were, when and whom they are about', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  const rule = home.rule(hook(receiver), TYPES);
  home.emit(loopFailed('a'));
  await settle(home);
  for (let n = 0; n < 25; n += 1) home.emit(loopFailed(`s${n}`), loopFailed('s0'));
  const last = new Date(home.clock.now()).toISOString();
  home.clock.advance(10 * MINUTE_MS);
  await settle(home);
  const [, body] = messages(receiver);
  const subjects = Array.from({ length: 20 }, (_, n) => `loop:s${n}`);
  expect(body?.digest).toEqual({ events: 50, last_at: last, subjects });
  const [first] = home.log.read((body?.data.seq ?? 0) - 1, 1);
  expect(body?.data).toEqual({ ...JSON.parse(first?.json ?? ''), epoch: home.log.epoch });
  expect(home.deliveries(rule).map(({ events }) => events)).toEqual([1, 50]);
});

it('AL82 from its first attempt on a delivery stays the same, and what follows goes with the next', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(silent);
  home.rule(hook(receiver), TYPES);
  home.emit(loopFailed('a'), loopFailed('b'));
  await until('it was called', () => receiver.got.length === 1);
  home.emit(loopFailed('c'));
  receiver.answer = withStatus(200);
  await home.restart();
  await settle(home);
  home.clock.advance(10 * MINUTE_MS);
  await settle(home);
  expect(summary(receiver)).toEqual([
    ['a', 2],
    ['a', 2],
    ['c', 1],
  ]);
  expect(receiver.ids[0]).toBe(receiver.ids[1]);
});

it('AL81 in quiet hours one message is kept for each cause', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  // It is midnight, UTC.
  const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'UTC' };
  home.rule(hook(receiver), { ...TYPES, quiet_hours });
  for (let hour = 0; hour < 7; hour += 1) {
    home.emit(loopFailed('a'), loopFailed('b', 'quota'));
    home.clock.advance(60 * MINUTE_MS);
  }
  await settle(home);
  expect(summary(receiver)).toEqual([
    ['a', 7],
    ['b', 7],
  ]);
});

it('AL83 a change of the minutes sends what is collected, and windows follow a clock that is set back', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  const rule = home.rule(hook(receiver), TYPES);
  home.emit(loopFailed('a'));
  await settle(home);
  home.emit(loopFailed('b'));
  home.alerts.change(rule, { digest_minutes: null });
  await settle(home);
  home.alerts.change(rule, { digest_minutes: 10 });
  home.emit(loopFailed('c'));
  await settle(home);
  expect(summary(receiver).map(([session]) => session)).toEqual(['a', 'b', 'c']);
  home.clock.jumpWall(-180 * MINUTE_MS);
  home.emit(loopFailed('d'));
  home.clock.advance(10 * MINUTE_MS);
  await settle(home);
  expect(summary(receiver).map(([session]) => session)).toEqual(['a', 'b', 'c', 'd']);
});

it('AL83 an incident of several inbox items is not acknowledged by closing the first', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  const steps = [{ after_minutes: 5, target: hook(receiver) }];
  home.rule(hook(receiver), { ...TYPES, steps });
  home.emit(raised('one'), raised('two'));
  await settle(home);
  home.items.set('one', { cleared_at: '2026-01-01T00:00:00.000Z', by: 'ada' });
  home.clock.advance(5 * MINUTE_MS);
  await settle(home);
  const [incident] = home.alerts.incidents.list(false, 10);
  expect(incident).toMatchObject({ step: 1, acknowledged_at: null });
  expect(incident?.title).toMatch(/^2 × /);
  expect(messages(receiver).map(({ digest }) => digest?.events)).toEqual([2, 2]);
});

it.each(Array.from({ length: 10 }, (_, seed) => seed))(
  'AL2, AL81 each event is in exactly one message and no cause has two in a window, also over restarts (seed %i)',
  async (seed) => {
    await using home = new AlertHome();
    const calls: { reason: string; events: number; atMs: number }[] = [];
    await using receiver = await WebhookReceiver.open((response, { body }) => {
      const { data, digest } = JSON.parse(body) as {
        data: { data: { reason: string } };
        digest?: Digest;
      };
      calls.push({
        reason: data.data.reason,
        events: digest?.events ?? 1,
        atMs: home.clock.now(),
      });
      response.writeHead(204).end();
    });
    home.rule(hook(receiver), TYPES);
    const random = new Random(seed);
    const emitted: Record<'quota' | 'restart_limit', number> = { quota: 0, restart_limit: 0 };
    for (let step = 0; step < 60; step += 1) {
      for (let n = random.int(0, 2); n > 0; n -= 1) {
        const reason = random.pick(['quota', 'restart_limit'] as const);
        emitted[reason] += 1;
        home.emit(loopFailed(`s${random.int(0, 3)}`, reason));
      }
      await settle(home);
      if (random.chance(0.1)) await home.restart();
      // By the minute, so that no attempt times out in the middle.
      for (let minutes = random.int(0, 3); minutes > 0; minutes -= 1) {
        home.clock.advance(MINUTE_MS);
        await settle(home);
      }
    }
    for (let minutes = 10; minutes > 0; minutes -= 1) {
      home.clock.advance(MINUTE_MS);
      await settle(home);
    }
    for (const [reason, count] of Object.entries(emitted)) {
      const own = calls.filter((call) => call.reason === reason);
      expect(own.reduce((sum, { events }) => sum + events, 0)).toBe(count);
      const gaps = own.slice(1).map(({ atMs }, index) => atMs - (own[index]?.atMs ?? 0));
      expect(Math.min(10 * MINUTE_MS, ...gaps)).toBe(10 * MINUTE_MS);
    }
  },
);

function raised(id: string): EventDraft {
  return {
    type: 'attention.raised',
    session: 'web',
    data: {
      id,
      reason: 'permission',
      title: 'Allow Bash?',
      answerable: true,
    },
  };
}
