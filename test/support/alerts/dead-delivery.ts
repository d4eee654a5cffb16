import type { AlertDelivery } from '../../../shared/schema/alerts/alerts.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { until } from '../house/until.ts';
import { WebhookReceiver, withStatus } from './webhook-receiver.ts';

/** Creates a rule with a dead delivery; returns the ids of both. */
export async function makeDeadDelivery(
  api: ApiClient,
  cwd: string,
): Promise<{ rule: string; dead: string }> {
  await using receiver = await WebhookReceiver.open(withStatus(410));
  const target = { kind: 'webhook', url: receiver.url };
  const body = { name: 'gone', types: ['session.created'], target };
  const rule = String((await api.send('POST', '/api/alerts', body)).body['id']);
  await api.openSession('alerting', cwd);
  const dead = await until('it is dead', async () => {
    const path = `/api/alerts/deliveries?rule=${rule}&state=dead`;
    const { deliveries } = (await api.get(path)).body as unknown as { deliveries: AlertDelivery[] };
    return deliveries[0]?.id;
  });
  return { rule, dead };
}
