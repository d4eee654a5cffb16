/** What a rule would send: sent now as a test, or only shown; and what each last delivered. */
import type { AlertPreview } from '../../shared/schema/alerts/alert-targets.ts';
import type { AlertTestResult } from '../../shared/schema/alerts/alerts.ts';
import type { EventLog } from '../events/event-log.ts';
import { audienceText } from '../../shared/words/alert-target-text.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { randomId } from '../lib/random-id.ts';
import type { AlertDeliveryStore } from './deliveries/alert-delivery-store.ts';
import type { AlertRuleStore } from './rules/alert-rule-store.ts';
import { type AlertSender, httpRequest } from './sending/alert-sender.ts';
import { deliveryBody, deliveryId, testBody } from './deliveries/delivery-body.ts';
import { type Links, plainMessage } from './deliveries/plain-message.ts';
import type { Rule, Target } from './rules/rule.ts';
import { ruleMatcher } from './rules/rule-matcher.ts';
import { messageText } from './sending/service-request.ts';
import { HIDDEN } from './sending/target-from.ts';

/** Events searched for one that the rule selects, newest first. */
const SEARCHED_EVENTS = 1_000;

interface TrialOptions {
  log: EventLog;
  rules: AlertRuleStore;
  deliveries: AlertDeliveryStore;
  clock: Clock;
  sender: AlertSender;
}

export class AlertTrials {
  readonly #options: TrialOptions;
  /** When a test of a rule, as it is now, was last delivered; wall time in milliseconds. */
  readonly #tested = new Map<string, number>();

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  /** Sends at once; stores nothing. */
  async test(rule: Rule, links: Links, signal: AbortSignal): Promise<AlertTestResult> {
    const { clock, sender } = this.#options;
    const began = clock.monotonic();
    const message = {
      id: randomId(),
      body: testBody(rule, toIso(clock.now())),
      type: 'alert.test',
      session: null,
      task: null,
      reason: null,
    };
    const { ok, status, error, output } = await sender.send(rule.target, message, links, signal);
    if (ok) this.#tested.set(rule.id, clock.now());
    return { ok, status, error, output, duration_ms: Math.round(clock.monotonic() - began) };
  }

  /** The rule has changed: a test of what it was proves nothing. */
  forget(id: string): void {
    this.#tested.delete(id);
  }

  /**
   * Enabled rules, and when each last delivered something as it is now: an event, or a test since
   * this daemon started. Wall times in milliseconds.
   */
  routes(): { name: string; provenAtMs: number | null; timeZone: string | null }[] {
    const { rules, deliveries } = this.#options;
    return rules.list().flatMap(({ id, name, enabled, quietHours }) => {
      if (!enabled) return [];
      const [sent] = deliveries.list({ rule: id, state: 'sent', limit: 1 });
      const times = [this.#tested.get(id), sent && Date.parse(sent.changedAt)];
      const known = times.flatMap((each) => each ?? []);
      const provenAtMs = known.length === 0 ? null : Math.max(...known);
      return [{ name, provenAtMs, timeZone: quietHours?.time_zone ?? null }];
    });
  }

  /** Of the newest event the rule selects, or of a test. */
  preview(rule: Rule, links: Links): AlertPreview {
    const sample = this.#sample(rule);
    const { kind } = rule.target;
    const { title, text } = isForPerson(rule.target)
      ? asShown(sample.body, links)
      : { title: null, text: null };
    const { seq, type } = sample;
    const { clock } = this.#options;
    return { kind, seq, type, title, text, ...requestShown(rule.target, sample, links, clock) };
  }

  #sample(rule: Rule): { id: string; seq: number | null; type: string; body: string } {
    const { log, clock } = this.#options;
    const matches = ruleMatcher(rule);
    const after = Math.max(log.oldest - 1, log.head - SEARCHED_EVENTS);
    const found = log
      .read(after, SEARCHED_EVENTS)
      .reverse()
      .flatMap((event) => matches(event) ?? []);
    const [match] = found;
    if (match === undefined) {
      const body = testBody(rule, toIso(clock.now()));
      return { id: randomId(), seq: null, type: 'alert.test', body };
    }
    const { seq, type } = match.event;
    const id = deliveryId(log.epoch, seq, rule.id);
    return { id, seq, type, body: deliveryBody(match, log.epoch) };
  }
}

function isForPerson({ kind }: Target): boolean {
  return kind !== 'webhook' && kind !== 'command';
}

function asShown(body: string, links: Links): { title: string; text: string } {
  const message = plainMessage(body, links);
  return { title: message.title, text: messageText(message) };
}

function requestShown(
  target: Target,
  sample: { id: string; body: string },
  links: Links,
  clock: Clock,
): { address: string; body: string } {
  switch (target.kind) {
    case 'command':
      return { address: target.argv.join(' '), body: sample.body };
    case 'webhook':
      return { address: `POST ${target.url}`, body: sample.body };
    case 'email': {
      const address = `${target.from} to ${target.to} over ${target.server}`;
      return { address, body: asShown(sample.body, links).text };
    }
    case 'push': {
      const address = `Web Push to ${audienceText(target.to)}`;
      return { address, body: asShown(sample.body, links).text };
    }
    default: {
      const hidden = { ...target, secret: HIDDEN };
      const { method, url, body } = httpRequest(hidden, sample, links, clock.now());
      return { address: `${method} ${url}`, body };
    }
  }
}
