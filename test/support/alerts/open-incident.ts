import { AcknowledgeLinks } from '../../../server/alerts/incidents/acknowledge-links.ts';
import { keepKey, SigningKey } from '../../../server/lib/signing-key.ts';
import type { AlertDelivery } from '../../../shared/schema/alerts/alerts.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { until } from '../house/until.ts';

/** Opens an incident that no one has acknowledged; returns its id and the token of its link. */
export async function openIncident(
  api: ApiClient,
  cwd: string,
  home: string,
): Promise<{ incident: string; token: string }> {
  const target = { kind: 'command', argv: ['true'] };
  const steps = [{ after_minutes: 60, target }];
  const body = { name: 'pager', types: ['session.created'], target, steps };
  const rule = String((await api.send('POST', '/api/alerts', body)).body['id']);
  const session = `paged-${rule.slice(0, 8)}`;
  await api.openSession(session, cwd);
  const delivery = await until('its first delivery', async () => {
    const { body: read } = await api.get(`/api/alerts/deliveries?rule=${rule}&state=sent`);
    return (read['deliveries'] as AlertDelivery[])[0];
  });
  await api.send('PATCH', `/api/alerts/${rule}`, { enabled: false });
  const links = new AcknowledgeLinks(new SigningKey(keepKey(home, 'alert-key')));
  return {
    incident: delivery.id,
    token: links.issue({ ...delivery, createdAt: delivery.created_at }),
  };
}
