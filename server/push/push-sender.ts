/** Sends one message to all browsers it is for. Part of the queue of alerts: it only attempts. */
import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import { mayAct } from '../../shared/schema/people/role.ts';
import type { PushTestResult } from '../../shared/schema/alerts/push.ts';
import { audienceText } from '../../shared/words/alert-target-text.ts';
import { failure, type Message, type Outcome } from '../alerts/sending/outcome.ts';
import { type Links, plainMessage, type PlainMessage } from '../alerts/deliveries/plain-message.ts';
import { sendRequest } from '../alerts/sending/send-request.ts';
import type { Clock } from '../lib/clock.ts';
import type { AnswerTickets } from './answer-tickets.ts';
import { type About, aboutOf, type Ask, askOf, encodePayload } from './push-payload.ts';
import type { Browser, PushSubscriptions } from './push-subscriptions.ts';
import type { VapidKeys } from './vapid-keys.ts';

/** Messages of one attempt that are on their way at the same time. */
const AT_ONCE = 8;
/** Answers of a push service after which a browser gets nothing any more. */
const GONE = [404, 410];
/** For a daemon without a public name; no push service writes there. */
const NO_CONTACT = 'mailto:loopwatch@example.org';

export interface SenderOptions {
  clock: Clock;
  /** The daemon's version, sent to push services. */
  version: string;
  /** Created on first use. */
  keys: () => VapidKeys;
  subscriptions: PushSubscriptions;
  tickets: AnswerTickets;
  /** Of the inbox. */
  item: (id: string) => AttentionItem | null;
  countOpen: () => number;
}

/** What happened to the message for one browser. */
interface Sent {
  browser: Browser;
  outcome: Outcome;
  isGone: boolean;
}

export class PushSender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /**
   * Delivered once one browser of it got it: another that fails does not hold back what follows, and
   * its person sees why. Never throws for a push service that refuses.
   */
  async send(to: string, { body }: Message, links: Links, signal: AbortSignal): Promise<Outcome> {
    const browsers = this.#options.subscriptions.addressed(to);
    if (browsers.length === 0) return failure(`no browser of ${audienceText(to)} is subscribed`);
    const message = plainMessage(body, links);
    const about = aboutOf(body);
    const all: Sent[] = [];
    for (let at = 0; at < browsers.length; at += AT_ONCE) {
      const next = browsers.slice(at, at + AT_ONCE);
      all.push(
        ...(await Promise.all(next.map((each) => this.#post(each, message, about, links, signal)))),
      );
    }
    return together(all);
  }

  /** At once and without a delivery; `links` for the page. */
  async test(browser: Browser, links: Links, signal: AbortSignal): Promise<PushTestResult> {
    const { clock } = this.#options;
    const message = {
      title: 'Loopwatch',
      text: `This is a test. Alerts reach ${browser.row.label}.`,
      link: `${links.page}/alerts`,
      acknowledge: null,
      isUrgent: true,
    };
    const about = { tag: 'test', item: null, atMs: clock.now() };
    const { outcome, isGone } = await this.#post(browser, message, about, links, signal);
    const { ok, status, error } = outcome;
    return { ok, status, error, removed: isGone };
  }

  async #post(
    browser: Browser,
    message: PlainMessage,
    about: About,
    { page }: Links,
    signal: AbortSignal,
  ): Promise<Sent> {
    const { clock, version, keys, tickets, subscriptions, item, countOpen } = this.#options;
    const nowMs = clock.now();
    const { row, person } = browser;
    const ask: Ask | null =
      about.item !== null && mayAct(person.role, 'operator') ? askOf(item(about.item)) : null;
    const ticket = ask && tickets.issue({ browser: row.id, item: ask.item }, nowMs);
    // Loaded with the first message: its library is large, and most daemons never send one.
    const { pushRequest } = await import('./push-request.ts');
    const request = pushRequest(
      row,
      encodePayload(message, about, { ask, ticket, open: countOpen() }),
      {
        keys: keys(),
        contact: page.startsWith('https:') ? page : NO_CONTACT,
        tag: about.tag,
        isUrgent: message.isUrgent,
        nowMs,
      },
    );
    const userAgent = `loopwatch/${version}`;
    const outcome = await sendRequest(request, { clock, userAgent, signal });
    const isGone = GONE.includes(outcome.status ?? 0);
    if (isGone) subscriptions.drop([row.id]);
    else if (!signal.aborted) subscriptions.record(row.id, outcome.error);
    return { browser, outcome, isGone };
  }
}

/** One outcome of all. `gone` would turn the rule off, and another browser can subscribe. */
function together(all: readonly Sent[]): Outcome {
  const lines = all.map(({ browser: { row, person }, outcome, isGone }) => {
    const how = outcome.ok ? 'sent' : `${outcome.error ?? 'failed'}${isGone ? ', removed' : ''}`;
    return `${row.label} of ${person.name}: ${how}`;
  });
  const [best] = [...all].sort((one, other) => Number(other.outcome.ok) - Number(one.outcome.ok));
  const pauses = all.flatMap(({ outcome }) => outcome.retryAfterMs ?? []);
  return {
    ...(best?.outcome ?? failure('not sent')),
    output: lines.join('\n'),
    gone: false,
    retryAfterMs: pauses.length === 0 ? null : Math.max(...pauses),
  };
}
