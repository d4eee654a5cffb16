/**
 * From events to deliveries. What matches becomes a row in the one transaction that moves the
 * cursors past it, so that each event has exactly one row for each rule, whenever the daemon dies.
 */
import { type EventLog, type EncodedEvent } from '../events/event-log.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { AlertDeliveryStore } from './deliveries/alert-delivery-store.ts';
import type { AlertRuleStore } from './rules/alert-rule-store.ts';
import { deliveryBody, deliveryId } from './deliveries/delivery-body.ts';
import { addToBody, causeOf, placeOf, type Place } from './deliveries/digest.ts';
import type { Incidents } from './incidents/incidents.ts';
import type { Rule } from './rules/rule.ts';
import { type Match, ruleMatcher } from './rules/rule-matcher.ts';

const PAGE_EVENTS = 500;
/**
 * Events that no rule matches may be between the stored cursors and the newest event: reading them
 * again after a restart changes nothing, and a write for each of them would cost a flush to disk.
 */
const MAX_UNSTORED = 500;

interface IntakeOptions {
  log: EventLog;
  rules: AlertRuleStore;
  deliveries: AlertDeliveryStore;
  clock: Clock;
  incidents: Pick<Incidents, 'open' | 'add'>;
}

export class AlertIntake {
  readonly #options: IntakeOptions;
  /** Every existing rule has seen the events up to here; the stored cursors may be behind. */
  #seen = 0;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /**
   * Processes every event up to the newest. True when there are new deliveries. Throws storage
   * errors.
   */
  take(): boolean {
    const { log, rules: store } = this.#options;
    const rules = store.list().filter(({ enabled }) => enabled);
    if (rules.length === 0) {
      this.#seen = log.head;
      return false;
    }
    const matchers = rules.map((rule) => ({ rule, matches: ruleMatcher(rule) }));
    let stored = Math.min(...rules.map(({ cursor }) => cursor));
    let after = Math.max(this.#seen, stored, log.oldest - 1);
    let found = false;
    while (after < log.head) {
      const page = log.read(after, PAGE_EVENTS);
      const last = page.at(-1)?.seq ?? log.head;
      const matched = page.flatMap((event) => matchesOf(event, matchers));
      if (matched.length > 0 || last - stored >= MAX_UNSTORED) {
        this.#store(matched, last);
        stored = last;
      }
      found ||= matched.length > 0;
      this.#seen = last;
      after = last;
    }
    return found;
  }

  #store(matched: readonly { rule: Rule; match: Match }[], cursor: number): void {
    const { log, rules } = this.#options;
    log.write(() => {
      for (const { rule, match } of matched) {
        const place = this.#place(rule, match);
        if (place !== null) this.#insert(rule, match, place);
      }
      rules.advance(cursor);
    });
  }

  /** Null when the event joined a delivery that collects. */
  #place(rule: Rule, match: Match): Place | null {
    const { deliveries, incidents, clock } = this.#options;
    const now = clock.now();
    if (rule.digestMinutes === null) {
      return { cause: null, collects: false, windowMs: null, dueMs: now };
    }
    const cause = causeOf(match);
    const last = deliveries.newestOf(rule.id, cause);
    const place = placeOf(cause, last, rule, now);
    if (place !== 'join') return place;
    if (last === null) return null;
    const body = addToBody(last.body, match);
    deliveries.add(last.id, body);
    incidents.add(last.incident, body);
    return null;
  }

  #insert(rule: Rule, match: Match, place: Place): void {
    const { log, deliveries, incidents, clock } = this.#options;
    const { seq, type, session } = match.event;
    const at = toIso(clock.now());
    deliveries.insert({
      ...place,
      id: deliveryId(log.epoch, seq, rule.id),
      rule: rule.id,
      seq,
      type,
      session,
      task: match.task,
      reason: match.reason,
      incident: incidents.open(rule, match, place.dueMs),
      body: deliveryBody(match, log.epoch),
      state: 'waiting',
      createdAt: at,
      changedAt: at,
    });
  }
}

function matchesOf(
  event: EncodedEvent,
  matchers: readonly { rule: Rule; matches: ReturnType<typeof ruleMatcher> }[],
): { rule: Rule; match: Match }[] {
  return matchers.flatMap(({ rule, matches }) => {
    const match = event.seq > rule.cursor ? matches(event) : null;
    return match === null ? [] : [{ rule, match }];
  });
}
