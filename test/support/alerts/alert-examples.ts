const ALERT = {
  name: 'failed loops',
  types: ['auto.failed'],
  quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' },
  target: { kind: 'webhook', url: 'http://127.0.0.1:9/' },
};

/** Valid calls of alerts, in an order that works. */
export function alertExamples(
  alert: { rule: string; dead: string },
  incident: { id: string; token: string },
) {
  return {
    listAlerts: { status: 200 },
    createAlert: { status: 201, body: ALERT },
    changeAlert: { status: 200, id: alert.rule, body: { enabled: true } },
    testAlert: { status: 200, id: alert.rule },
    previewAlert: { status: 200, id: alert.rule },
    listAlertIncidents: { status: 200, query: '?state=all&limit=10' },
    acknowledgeIncident: { status: 200, id: incident.id },
    acknowledgeByLink: { status: 200, body: { token: incident.token } },
    listAlertDeliveries: { status: 200, query: '?state=dead&limit=10' },
    retryAlertDelivery: { status: 200, id: alert.dead },
    deleteAlert: { status: 200, id: alert.rule },
  };
}
