/** Alerts, with the links in them and the browsers that they reach. */
import { AcknowledgeLinks } from '../alerts/incidents/acknowledge-links.ts';
import { AlertPauses } from '../alerts/alert-pauses.ts';
import { AlertRuleStore } from '../alerts/rules/alert-rule-store.ts';
import { AlertSender } from '../alerts/sending/alert-sender.ts';
import { Alerts } from '../alerts/alerts.ts';
import type { Attention } from '../attention/attention.ts';
import type { AttentionStore } from '../attention/attention-store.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import { packageVersion } from '../lib/package-root.ts';
import type { Scope } from '../lib/scope.ts';
import { keepKey, SigningKey } from '../lib/signing-key.ts';
import { openPush } from './open-push.ts';
import type { Store } from './open-store.ts';

interface Surroundings {
  clock: Clock;
  random: () => number;
  /** Of the commands that send. */
  environment: NodeJS.ProcessEnv;
  items: AttentionStore;
  attention: Attention;
}

export function openAlerts(
  config: Readonly<Config>,
  store: Store,
  { clock, random, environment, items, attention }: Surroundings,
  scope: Scope,
) {
  const { logger, database, log, alertDeliveries, incidents } = store;
  const item = (id: string) => items.get(id);
  const push = openPush(config, store, { clock, item, countOpen: () => attention.countOpen() });
  const alerts = new Alerts({
    log,
    clock,
    random,
    logger,
    rules: new AlertRuleStore(database),
    deliveries: alertDeliveries,
    incidents,
    pauses: new AlertPauses({ log, deliveries: alertDeliveries, incidents, clock }),
    links: new AcknowledgeLinks(new SigningKey(keepKey(config.home, 'alert-key'))),
    item,
    requirePerson: (id, need) => attention.require({ kind: 'alert', id }, need),
    sender: new AlertSender({
      clock,
      environment,
      version: packageVersion(),
      push: async (...sent) => push.sender.send(...sent),
    }),
  });
  scope.own(() => alerts.dispose());
  return { alerts, push };
}
