/**
 * Alerts: rules that send selected events, and their deliveries. A matching event becomes a row
 * before anything is sent; each outcome is the event `alert.sent` or `alert.failed`.
 */
import type { AlertPreview } from '../../shared/schema/alerts/alert-targets.ts';
import type {
  AlertDelivery,
  AlertRule,
  AlertTestResult,
  ChangeAlert,
  CreateAlert,
  WrittenAlert,
} from '../../shared/schema/alerts/alerts.ts';
import type { Role } from '../../shared/schema/people/role.ts';
import { AppError } from '../lib/app-error.ts';
import { type Timer, toIso } from '../lib/clock.ts';
import { randomId } from '../lib/random-id.ts';
import type {
  DeliveryFilter,
  DeliveryRow,
  DeliveryTally,
} from './deliveries/alert-delivery-store.ts';
import { AlertIntake } from './alert-intake.ts';
import { checkReach, type ReachOptions } from './incidents/check-reach.ts';
import { AlertTrials } from './alert-trials.ts';
import { deliveryView, ruleView } from './alert-view.ts';
import { DeliveryQueue, type QueueOptions } from './delivery-queue.ts';
import { type IncidentOptions, Incidents } from './incidents/incidents.ts';
import type { Links } from './deliveries/plain-message.ts';
import type { Rule } from './rules/rule.ts';
import { stepsFrom, targetFrom } from './sending/target-from.ts';

/** Pause after events could not be processed. */
const RETRY_MS = 10_000;
const NO_DELIVERIES: DeliveryTally = { waiting: 0, sent: 0, dead: 0, last: null };

type AlertOptions = Omit<QueueOptions, 'links' | 'onSettled'> & IncidentOptions & ReachOptions;

export class Alerts {
  readonly incidents: Incidents;
  readonly trials: AlertTrials;
  readonly #options: AlertOptions;
  readonly #intake: AlertIntake;
  readonly #queue: DeliveryQueue;
  readonly #stop = new AbortController();
  #stopListening: () => void = () => undefined;
  #retryTimer: Timer | null = null;
  #page = '';

  constructor(options: AlertOptions) {
    this.#options = options;
    this.trials = new AlertTrials(options);
    this.#queue = new DeliveryQueue({
      ...options,
      links: (row) => this.#links(row),
      onSettled: (rule) => checkReach(rule, options),
    });
    this.incidents = new Incidents(options, () => this.#queue.pump());
    this.#intake = new AlertIntake({ ...options, incidents: this.incidents });
  }

  /** Continues where the last daemon stopped, then follows the log; links lead to `page`. */
  start(page: string): void {
    this.#page = page;
    this.#stopListening = this.#options.log.listen(() => this.#follow());
    // Before new deliveries: what waits may have to follow a clock that was set back.
    this.#queue.pump();
    this.#follow();
    this.incidents.pump();
    for (const rule of this.#options.rules.list()) checkReach(rule, this.#options);
  }

  /** Aborts attempts under way; the next daemon repeats them. */
  async dispose(): Promise<void> {
    this.#stopListening();
    this.#retryTimer?.cancel();
    this.#stop.abort();
    this.incidents.dispose();
    await this.#queue.dispose();
  }

  list(role: Role): AlertRule[] {
    const { rules, deliveries } = this.#options;
    return rules.list().map((rule) => ruleView(rule, deliveries.tally(rule.id), role));
  }

  /** Waiting and dead deliveries of all rules. */
  countUnsent(): Record<'waiting' | 'dead', number> {
    const { rules, deliveries } = this.#options;
    return deliveries.countUnsent(rules.list().map(({ id }) => id));
  }

  /** Attempts by outcome since the daemon started. */
  get attempts(): DeliveryQueue['attempts'] {
    return this.#queue.attempts;
  }

  /** The rule applies to events from now on. */
  create(body: CreateAlert): WrittenAlert {
    const { quiet_hours: quietHours, digest_minutes: digestMinutes, ...given } = body;
    const { target: to, steps, ...fields } = given;
    const { log, rules, clock } = this.#options;
    this.#intake.take();
    const target = targetFrom(to, null);
    const rule: Rule = {
      ...fields,
      quietHours,
      digestMinutes,
      target,
      steps: stepsFrom(steps, []),
      id: randomId(),
      cursor: log.head,
      createdAt: toIso(clock.now()),
    };
    log.write(() => rules.insert(rule));
    return written(rule, NO_DELIVERIES, null);
  }

  /** Throws `alert_unknown`. Earlier events follow the rule as it was. */
  change(id: string, body: ChangeAlert): WrittenAlert {
    const { quiet_hours, digest_minutes, target, steps, ...fields } = body;
    const { log, rules, deliveries, clock } = this.#options;
    this.#intake.take();
    const before = this.#get(id);
    const after: Rule = {
      ...before,
      ...fields,
      cursor: log.head,
      ...(quiet_hours === undefined ? {} : { quietHours: quiet_hours }),
      ...(digest_minutes === undefined ? {} : { digestMinutes: digest_minutes }),
      ...(target === undefined ? {} : { target: targetFrom(target, before.target) }),
      ...(steps === undefined ? {} : { steps: stepsFrom(steps, before.steps) }),
    };
    const now = clock.now();
    const removed = { state: 'dead', error: STEP_REMOVED, changedAt: toIso(now) } as const;
    log.write(() => {
      rules.replace(after);
      deliveries.dropSteps(id, after.steps.length, removed);
      if (after.digestMinutes !== before.digestMinutes) deliveries.release(id, now);
    });
    this.trials.forget(id);
    this.#queue.pump();
    this.incidents.pump();
    return written(after, this.#options.deliveries.tally(id), before);
  }

  /** Also removes its deliveries. Throws `alert_unknown`. */
  remove(id: string): void {
    const { log, rules, deliveries, incidents } = this.#options;
    this.#get(id);
    log.write(() => {
      deliveries.deleteOf(id);
      incidents.deleteOf(id);
      rules.delete(id);
    });
    this.#options.requirePerson(id, null);
  }

  /**
   * Sends a test at once, ahead of waiting deliveries and even in quiet hours. Throws
   * `alert_unknown`.
   */
  async test(id: string): Promise<AlertTestResult> {
    return this.trials.test(this.#get(id), this.#links(), this.#stop.signal);
  }

  /** What the rule's target would receive. Throws `alert_unknown`. */
  preview(id: string): AlertPreview {
    return this.trials.preview(this.#get(id), this.#links());
  }

  /** Newest event first. */
  deliveries(filter: DeliveryFilter, role: Role): AlertDelivery[] {
    const now = this.#options.clock.now();
    const rules = new Map(this.#options.rules.list().map((rule) => [rule.id, rule]));
    return this.#options.deliveries
      .list(filter)
      .map((row) => deliveryView(row, rules.get(row.rule) ?? null, now, role));
  }

  /**
   * Schedules one more attempt for a dead delivery. Throws `alert_delivery_unknown`,
   * `alert_delivery_not_dead`, `alert_disabled`.
   */
  retry(id: string): AlertDelivery {
    const { log, deliveries, clock } = this.#options;
    const row = deliveries.get(id);
    if (row === null) {
      throw new AppError(
        'alert_delivery_unknown',
        'no delivery with that id; list them with: loopwatch alert log',
      );
    }
    if (row.state !== 'dead') {
      throw new AppError(
        'alert_delivery_not_dead',
        `this delivery is ${row.state}; only a dead delivery can be retried`,
      );
    }
    const rule = this.#get(row.rule);
    if (!rule.enabled) {
      const next = `enable it first: loopwatch alert enable ${rule.id}`;
      throw new AppError('alert_disabled', `the alert of this delivery is disabled; ${next}`);
    }
    const now = clock.now();
    const settlement = { state: 'waiting', dueMs: now, changedAt: toIso(now) } as const;
    log.write(() => deliveries.settle(id, settlement));
    this.#queue.pump();
    return deliveryView({ ...row, ...settlement }, rule, now, 'admin');
  }

  #links(row?: DeliveryRow): Links {
    const page = this.#page;
    const token = row?.incident == null ? null : this.#options.links.issue(row);
    return { page, acknowledge: token === null ? null : `${page}/acknowledge#${token}` };
  }

  #get(id: string): Rule {
    const rule = this.#options.rules.get(id);
    if (rule === null)
      throw new AppError(
        'alert_unknown',
        'no alert with that id; list them with: loopwatch alert ls',
      );
    return rule;
  }

  /** Events that cannot be stored now are retried with the next event, or a little later. */
  #follow(): void {
    const { clock, logger } = this.#options;
    this.#retryTimer?.cancel();
    try {
      if (this.#intake.take()) this.#queue.pump();
      this.incidents.follow();
    } catch (error) {
      logger.error({ err: error }, 'cannot read events for alerts');
      this.#retryTimer = clock.after(RETRY_MS, () => this.#follow());
    }
  }
}

const STEP_REMOVED = 'its step was removed from the alert';

function written(rule: Rule, tally: DeliveryTally, before: Rule | null): WrittenAlert {
  const secret = rule.target.kind === 'webhook' ? rule.target.secret : null;
  const known = before?.target.kind === 'webhook' ? before.target.secret : null;
  return { ...ruleView(rule, tally, 'admin'), secret: secret === known ? null : secret };
}
