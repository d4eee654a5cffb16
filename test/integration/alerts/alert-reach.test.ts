/** An alert that reached no one is an item of the inbox until one arrives. */
import { expect, it } from 'vitest';
import type { AlertTarget } from '../../../shared/schema/alerts/alert-targets.ts';
import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';
import { AlertHome, loopFailed } from '../../support/alerts/alert-home.ts';
import { makeDeadDelivery } from '../../support/alerts/dead-delivery.ts';
import { until } from '../../support/house/until.ts';
import { WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';
import { World } from '../../support/daemon/world.ts';

const MINUTE_MS = 60_000;

it('AL75 with steps, no one was reached only when every step is dead', async () => {
  await using home = new AlertHome();
  await using gone = await WebhookReceiver.open(withStatus(410));
  const target = { kind: 'ntfy', server: `http://127.0.0.1:${gone.port}`, topic: 'a' } as const;
  const failing: AlertTarget = { kind: 'command', argv: ['false'] };
  const rule = home.rule(target, {
    types: ['auto.failed'],
    steps: [
      { after_minutes: 1, target },
      { after_minutes: 1, target },
    ],
  });
  const other = home.rule(failing, { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  await home.attempted(1, rule);
  home.alerts.change(rule, { enabled: true });
  expect(home.needs.get(rule)).toBeUndefined();
  home.clock.advance(MINUTE_MS);
  await home.attempted(2, rule);
  expect(home.needs.get(rule)).toBeUndefined();
  home.clock.advance(MINUTE_MS);
  await home.attempted(3, rule);
  await until('it is needed', () => home.needs.get(rule));
  expect(home.needs.get(rule)).toEqual({
    reason: 'alert_undelivered',
    title: 'Alert “all” reached no one',
    detail: 'auto.failed: HTTP 410',
  });
  // One that will be retried may still reach someone.
  expect(home.needs.get(other)).toBeUndefined();
  home.needs.clear();
  await home.restart();
  expect(home.needs.get(rule)).toMatchObject({ reason: 'alert_undelivered' });
});

it('AL75 the item is about the rule, and ends when a delivery arrives', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { rule, dead } = await makeDeadDelivery(api, world.taskDir('web'));
  const items = async () =>
    (await api.get(`/api/attention?subject=alert:${rule}`)).body['items'] as AttentionItem[];
  const item = await until('an item', async () => (await items())[0]);
  expect(item).toMatchObject({
    subject: { kind: 'alert', id: rule },
    reason: 'alert_undelivered',
    title: 'Alert “gone” reached no one',
    session: null,
    task: null,
  });
  await using receiver = await WebhookReceiver.open();
  const target = { kind: 'webhook', url: receiver.url };
  await api.send('PATCH', `/api/alerts/${rule}`, { enabled: true, target });
  await api.send('POST', `/api/alerts/deliveries/${dead}/retry`);
  await until('the item is closed', async () => (await items()).length === 0);
});
