/** Acknowledged or escalated: by rows, over restarts, and each step once. */
import { expect, it } from 'vitest';
import type { AlertSteps } from '../../../shared/schema/alerts/alert-incidents.ts';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import { AlertHome, loopFailed, PAGE } from '../../support/alerts/alert-home.ts';
import { until } from '../../support/house/until.ts';
import { silent, WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';

const MINUTE_MS = 60_000;

function steps(receiver: WebhookReceiver, ...minutes: number[]): AlertSteps {
  return minutes.map((after_minutes, index) => ({
    after_minutes,
    target: ntfy(receiver, `step-${index + 1}`),
  }));
}

function ntfy({ port }: WebhookReceiver, topic: string) {
  return { kind: 'ntfy', server: `http://127.0.0.1:${port}`, topic } as const;
}

function topics({ got }: WebhookReceiver): unknown[] {
  return got.map(({ body }) => (JSON.parse(body) as { topic: string }).topic);
}

function linkOf({ got }: WebhookReceiver): string {
  const [first] = got.map(({ body }) => JSON.parse(body) as { actions: { url: string }[] });
  return first?.actions[0]?.url ?? '';
}

function open(home: AlertHome) {
  return home.alerts.incidents.list(true, 10);
}

it('AL68 without an acknowledgement each step begins after its minutes, also after a restart', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(200));
  const rule = home.rule(ntfy(receiver, 'first'), {
    types: ['auto.failed'],
    steps: steps(receiver, 10, 5),
  });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  home.clock.advance(10 * MINUTE_MS - 1);
  expect(topics(receiver)).toEqual(['first']);
  expect(open(home)).toMatchObject([{ step: 0, steps: 2, next_target: 'ntfy' }]);
  await home.restart();
  home.clock.advance(1);
  await home.attempted(2);
  // The daemon was down for longer than the last step: it begins once, and at once.
  await home.restart(() => home.clock.advance(60 * MINUTE_MS));
  await home.attempted(3);
  await home.restart();
  home.clock.advance(600 * MINUTE_MS);
  expect(topics(receiver)).toEqual(['first', 'step-1', 'step-2']);
  expect(open(home)).toMatchObject([{ rule, step: 2, next_step_at: null, acknowledged_at: null }]);
  expect(home.alertEvents().filter(({ type }) => type === 'alert.escalated')).toMatchObject([
    { data: { step: 1, steps: 2 } },
    { data: { step: 2, steps: 2 } },
  ]);
});

it('AL70 an acknowledgement ends the steps, is recorded with who and when, and happens once', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(200));
  home.rule(ntfy(receiver, 'first'), { types: ['auto.failed'], steps: steps(receiver, 10) });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  const id = open(home)[0]?.id ?? '';
  home.clock.advance(MINUTE_MS);
  const at = new Date(home.clock.now()).toISOString();
  const done = home.alerts.incidents.acknowledge(id, 'Mia', 'person');
  expect(done).toMatchObject({ acknowledged_by: 'Mia', acknowledged_at: at, next_step_at: null });
  expect(() => home.alerts.incidents.acknowledge(id, 'Noor', 'person')).toThrow(
    `already acknowledged by Mia at ${at}`,
  );
  home.clock.advance(60 * MINUTE_MS);
  await home.restart();
  expect(open(home)).toEqual([]);
  expect(home.alerts.incidents.list(false, 10)).toMatchObject([{ acknowledged_by: 'Mia' }]);
  expect(topics(receiver)).toEqual(['first']);
  expect(home.alertEvents().at(-1)).toMatchObject({
    type: 'alert.acknowledged',
    data: { by: 'Mia', via: 'person', incident: id },
  });
});

it('AL69 the link of a message acknowledges once; the same in every attempt, and never in an event', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(500));
  home.rule(ntfy(receiver, 'first'), { types: ['auto.failed'], steps: steps(receiver, 10) });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  receiver.answer = withStatus(200);
  home.clock.advance(5_000);
  await home.attempted(2);
  const link = linkOf(receiver);
  expect(link).toMatch(new RegExp(`^${PAGE}/acknowledge#[0-9a-f]{20}\\.`));
  expect(receiver.got[1]?.body).toBe(receiver.got[0]?.body);
  const token = link.split('#')[1] ?? '';
  const secret = token.split('.')[2] ?? expect.fail();
  expect(() => home.alerts.incidents.acknowledgeByLink(token.replace(/.$/, '_'))).toThrow(
    'not valid or has expired',
  );
  const used = home.alerts.incidents.acknowledgeByLink(token);
  expect(used).toMatchObject({ acknowledged_by: 'link in ntfy', acknowledged_via: 'link' });
  expect(() => home.alerts.incidents.acknowledgeByLink(token)).toThrow('already acknowledged');
  const shown = [home.alertEvents(), home.deliveries(), home.alerts.incidents.list(false, 9)];
  expect(JSON.stringify([shown, home.errors])).not.toContain(secret);
});

it('AL71 what the inbox raised counts as acknowledged once its item is closed', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(200));
  home.rule(ntfy(receiver, 'first'), { types: ['attention.*'], steps: steps(receiver, 10) });
  const about = { id: 'item-1', reason: 'question', title: 'Which port?' } as const;
  home.items.set('item-1', { cleared_at: null, by: null });
  home.emit({ type: 'attention.raised', session: 'web', data: { ...about, answerable: true } });
  await home.attempted(1);
  expect(open(home)).toHaveLength(1);
  home.items.set('item-1', { cleared_at: new Date(home.clock.now()).toISOString(), by: 'Mia' });
  const cleared: EventDraft = {
    type: 'attention.cleared',
    session: 'web',
    data: { ...about, outcome: 'answered', by: 'Mia', answer: '80' },
  };
  // Also while no daemon runs.
  await home.restart((log) => log.write((append) => append(cleared)));
  const first = home.alerts.incidents.list(false, 10).find(({ type }) => type.endsWith('raised'));
  expect(first).toMatchObject({ acknowledged_by: 'Mia', acknowledged_via: 'inbox' });
  home.clock.advance(9 * MINUTE_MS);
  expect(topics(receiver)).not.toContain('step-1');
});

it('AL72 a step waits for no delivery of another target', async () => {
  await using home = new AlertHome();
  await using stuck = await WebhookReceiver.open(silent);
  await using receiver = await WebhookReceiver.open(withStatus(200));
  home.rule(ntfy(stuck, 'first'), { types: ['auto.failed'], steps: steps(receiver, 1) });
  home.emit(loopFailed('web'));
  await until('the first was asked', () => stuck.got.length);
  home.clock.advance(MINUTE_MS);
  await home.attempted(2);
  expect(topics(receiver)).toEqual(['step-1']);
  expect(home.deliveries().map(({ step, state }) => [step, state])).toEqual([
    [0, 'waiting'],
    [1, 'sent'],
  ]);
});

it('AL72 a step whose receiver is gone turns nothing off; a removed step is not sent', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(200));
  await using gone = await WebhookReceiver.open(withStatus(410));
  const rule = home.rule(ntfy(receiver, 'first'), {
    types: ['auto.failed'],
    steps: steps(gone, 1, 1),
  });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  home.clock.advance(MINUTE_MS);
  await home.attempted(2);
  expect(home.alerts.list('admin')[0]).toMatchObject({ enabled: true, dead: 1 });
  home.alerts.change(rule, { steps: [] });
  home.clock.advance(60 * MINUTE_MS);
  expect(gone.got).toHaveLength(1);
  expect(open(home)).toMatchObject([{ step: 1, next_step_at: null }]);
});

it('AL73 quiet hours hold the steps too, and their time begins with the first delivery', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(200));
  const now = new Date(home.clock.now());
  const hour = (more: number) => `${String((now.getUTCHours() + more) % 24).padStart(2, '0')}:00`;
  const quiet_hours = { from: hour(0), to: hour(1), time_zone: 'UTC' };
  const toEnd = 60 * MINUTE_MS - (home.clock.now() % (60 * MINUTE_MS));
  home.rule(ntfy(receiver, 'first'), {
    types: ['auto.failed'],
    steps: steps(receiver, 5),
    quiet_hours,
  });
  home.emit(loopFailed('web'));
  home.clock.advance(toEnd);
  await home.attempted(1);
  home.clock.advance(5 * MINUTE_MS - 1);
  expect(topics(receiver)).toEqual(['first']);
  home.clock.advance(1);
  await home.attempted(2);
  expect(topics(receiver)).toEqual(['first', 'step-1']);
});

it('AL61 the secret of a step is in no answer and event', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(200));
  const target = { ...ntfy(receiver, 'x'), secret: 'tk_verysecret' };
  const rule = home.rule(target, { steps: [{ after_minutes: 1, target }] });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  home.clock.advance(MINUTE_MS);
  await home.attempted(2);
  expect(receiver.got.map(({ headers }) => headers.authorization)).toEqual(
    Array(2).fill('Bearer tk_verysecret'),
  );
  const change = home.alerts.change(rule, {
    steps: [{ after_minutes: 2, target: ntfy(receiver, 'x') }],
  });
  expect(change.steps).toMatchObject([{ after_minutes: 2, target: { has_secret: true } }]);
  const shown = [home.alerts.list('admin'), home.deliveries(), home.alertEvents(), open(home)];
  expect(JSON.stringify([change, shown])).not.toContain('verysecret');
});
