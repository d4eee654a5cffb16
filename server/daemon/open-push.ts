/** Web Push: its keys in the home, the browsers of people, and what sends to them. */
import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import { packageVersion } from '../lib/package-root.ts';
import { keepKey, SigningKey } from '../lib/signing-key.ts';
import { keepAdminToken } from '../people/access.ts';
import { PersonStore } from '../people/person-store.ts';
import { Addressees } from '../push/addressees.ts';
import { AnswerTickets } from '../push/answer-tickets.ts';
import { PushAnswers } from '../push/push-answers.ts';
import { PushSender } from '../push/push-sender.ts';
import { PushSubscriptionStore } from '../push/push-subscription-store.ts';
import { PushSubscriptions } from '../push/push-subscriptions.ts';
import { keepVapidKeys, type VapidKeys } from '../push/vapid-keys.ts';
import type { Store } from './open-store.ts';

interface Inbox {
  clock: Clock;
  item: (id: string) => AttentionItem | null;
  countOpen: () => number;
}

export function openPush(config: Readonly<Config>, { database, log }: Store, inbox: Inbox) {
  const { clock } = inbox;
  const token = config.token ?? keepAdminToken(config.home);
  const subscriptions = new PushSubscriptions({
    log,
    clock,
    store: new PushSubscriptionStore(database),
    addressees: new Addressees(new PersonStore(database), token),
    services: config.pushServices,
  });
  const tickets = new AnswerTickets(new SigningKey(keepKey(config.home, 'push-answer-key')));
  let kept: VapidKeys | null = null;
  const keys = () => (kept ??= keepVapidKeys(config.home));
  const version = packageVersion();
  const sender = new PushSender({ ...inbox, version, keys, subscriptions, tickets });
  const answers = new PushAnswers({ clock, tickets, subscriptions });
  return { subscriptions, sender, answers, publicKey: () => keys().publicKey };
}
