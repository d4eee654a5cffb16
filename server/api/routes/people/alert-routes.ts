import type { Alerts } from '../../../alerts/alerts.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

type Names =
  | 'listAlerts'
  | 'createAlert'
  | 'changeAlert'
  | 'deleteAlert'
  | 'testAlert'
  | 'previewAlert'
  | 'listAlertIncidents'
  | 'acknowledgeIncident'
  | 'acknowledgeByLink'
  | 'listAlertDeliveries'
  | 'retryAlertDelivery';

/** Alert rules and deliveries. Viewers see no credentials of other services. */
export function alertRoutes({ alerts }: { alerts: Alerts }): Handlers<Names> {
  return {
    listAlerts: (call) => ({
      status: 200,
      body: { alerts: alerts.list(identityOf(call).role) },
    }),
    createAlert: ({ body }) => ({ status: 201, body: alerts.create(body) }),
    changeAlert: ({ params, body }) => ({ status: 200, body: alerts.change(params.id, body) }),
    deleteAlert: ({ params }) => {
      alerts.remove(params.id);
      return { status: 200, body: { id: params.id } };
    },
    testAlert: async ({ params }) => ({ status: 200, body: await alerts.test(params.id) }),
    previewAlert: ({ params }) => ({ status: 200, body: alerts.preview(params.id) }),
    listAlertIncidents: ({ query: { state, limit } }) => ({
      status: 200,
      body: { incidents: alerts.incidents.list(state === 'open', limit) },
    }),
    acknowledgeIncident: ({ params, ...call }) => ({
      status: 200,
      body: alerts.incidents.acknowledge(params.id, identityOf(call).name, 'person'),
    }),
    acknowledgeByLink: ({ body }) => {
      const { title, acknowledged_at } = alerts.incidents.acknowledgeByLink(body.token);
      return { status: 200, body: { title, acknowledged_at } };
    },
    listAlertDeliveries: ({ query, ...call }) => ({
      status: 200,
      body: { deliveries: alerts.deliveries(query, identityOf(call).role) },
    }),
    retryAlertDelivery: ({ params }) => ({ status: 200, body: alerts.retry(params.id) }),
  };
}
