/**
 * Runs the deliveries: at most four at once, one per target at a time, oldest first. One timer waits
 * for the next that is due; nothing runs while none waits.
 */
import { isDeepStrictEqual } from 'node:util';
import type { EventLog } from '../events/event-log.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type {
  AlertDeliveryStore,
  DeliveryRow,
  Settlement,
} from './deliveries/alert-delivery-store.ts';
import type { AlertPauses } from './alert-pauses.ts';
import type { AlertRuleStore } from './rules/alert-rule-store.ts';
import type { AlertSender } from './sending/alert-sender.ts';
import { windowFrom } from './deliveries/digest.ts';
import type { Outcome } from './sending/outcome.ts';
import type { Links } from './deliveries/plain-message.ts';
import { planDelivery, type Planned } from './deliveries/plan-delivery.ts';
import type { Rule } from './rules/rule.ts';
import { retryDelay } from './deliveries/retry-delay.ts';
import { WallTimer } from './wall-timer.ts';

const MAX_AT_ONCE = 4;
/** How long a rule pauses when the outcome of its attempt could not be stored. */
const STORAGE_PAUSE_MS = 10_000;

export interface QueueOptions {
  log: EventLog;
  rules: AlertRuleStore;
  deliveries: AlertDeliveryStore;
  pauses: AlertPauses;
  sender: AlertSender;
  clock: Clock;
  /** A number from 0 to 1. */
  random: () => number;
  logger: Log;
  /** For the text of a delivery. */
  links: (row: DeliveryRow) => Links;
  /** After a delivery of the rule arrived or died. */
  onSettled: (rule: Rule) => void;
}

export class DeliveryQueue {
  /** Attempts whose outcome was stored since the daemon started; a failed one is retried. */
  readonly attempts = { sent: 0, failed: 0, given_up: 0 };
  readonly #options: QueueOptions;
  /** Targets with an attempt under way, or pausing. */
  readonly #busy = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  /** The number of each target's last start. */
  readonly #served = new Map<string, number>();
  #starts = 0;
  readonly #stop = new AbortController();
  readonly #timer: WallTimer;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#timer = new WallTimer(options.clock, () => this.pump());
  }

  /** Starts what is due and allowed, and waits for the next. */
  pump(): void {
    // Called by commits, timers and ends of attempts: a failure here would end the daemon.
    try {
      this.#round();
    } catch (error) {
      this.#options.logger.error({ err: error }, 'cannot read pending deliveries');
      this.#timer.wait(STORAGE_PAUSE_MS);
    }
  }

  /** Aborts attempts under way; the next daemon repeats them. Resolves when all have ended. */
  async dispose(): Promise<void> {
    this.#stop.abort();
    this.#timer.wait(null);
    await Promise.all(this.#underWay);
  }

  #round(): void {
    if (this.#stop.signal.aborted) return;
    this.#options.pauses.keepLength();
    const now = this.#options.clock.now();
    const planned = this.#plan(now);
    const due = planned.filter(({ atMs }) => atMs <= now);
    // The target served last goes last, so that long queues leave room for short ones.
    due.sort((one, other) => this.#servedAt(one) - this.#servedAt(other));
    for (const next of due.slice(0, MAX_AT_ONCE - this.#underWay.size)) this.#start(next);
    const later = planned.map(({ atMs }) => atMs).filter((atMs) => atMs > now);
    this.#timer.wait(later.length === 0 ? null : Math.min(...later) - now);
  }

  /** The next delivery of each free target. */
  #plan(nowMs: number): Planned[] {
    const { rules, deliveries } = this.#options;
    const all = rules.list();
    const lanes = all.flatMap((rule) =>
      [0, ...rule.steps.map((_, index) => index + 1)].map((step) => ({ rule, step })),
    );
    const keys = new Set(lanes.map(({ rule, step }) => laneOf(rule.id, step)));
    for (const key of this.#served.keys()) if (!keys.has(key)) this.#served.delete(key);
    return lanes
      .filter(({ rule, step }) => rule.enabled && !this.#busy.has(laneOf(rule.id, step)))
      .flatMap(({ rule, step }) => planDelivery(rule, step, deliveries, nowMs) ?? []);
  }

  #servedAt({ rule, row }: Planned): number {
    return this.#served.get(laneOf(rule.id, row.step)) ?? 0;
  }

  #start(next: Planned): void {
    const { rule, row } = next;
    if (row.collects) {
      const { log, deliveries, clock } = this.#options;
      const windowMs = windowFrom(rule, clock.now());
      log.write(() => deliveries.close(row.id, windowMs));
    }
    this.#starts += 1;
    const lane = laneOf(rule.id, row.step);
    this.#served.set(lane, this.#starts);
    this.#busy.add(lane);
    const attempt = this.#attempt(next).finally(() => {
      this.#busy.delete(lane);
      this.#underWay.delete(attempt);
      this.pump();
    });
    this.#underWay.add(attempt);
  }

  async #attempt(planned: Planned): Promise<void> {
    const { sender, clock, logger, links } = this.#options;
    const { target, row } = planned;
    const outcome = await sender.send(target, row, links(row), this.#stop.signal);
    if (this.#stop.signal.aborted && !outcome.ok) return;
    try {
      this.#record(planned, outcome);
    } catch (error) {
      logger.error({ err: error }, 'cannot store the outcome of a delivery');
      await clock.sleep(STORAGE_PAUSE_MS, this.#stop.signal).catch(() => undefined);
    }
  }

  #record({ rule, target, row }: Planned, { ok, gone, retryAfterMs, ...result }: Outcome): void {
    // A webhook's response is kept for tests only; of push it is our own text.
    const output = target.kind === 'command' || target.kind === 'push' ? result.output : null;
    const { log, rules, deliveries, pauses, clock, random } = this.#options;
    pauses.keepLength();
    const now = clock.now();
    const attempts = row.attempts + 1;
    const ageMs = now - Date.parse(row.createdAt);
    const failed = { attempts, ageMs, askedMs: retryAfterMs };
    const pause = ok || gone ? null : retryDelay(failed, random());
    const settlement = {
      ...result,
      output,
      attempts,
      changedAt: toIso(now),
      ...nextState(ok, pause === null ? null : now + pause),
    };
    const { seq, type, id: delivery } = row;
    const about = { rule: rule.id, name: rule.name, delivery, seq, type, attempt: attempts };
    const isRecorded = log.write((append) => {
      // Removed with its rule in the meantime: nothing to report.
      if (!deliveries.settle(delivery, settlement)) return false;
      // The answer of a target that was changed meanwhile says nothing about the new one.
      const isCurrent = () => isDeepStrictEqual(rules.get(rule.id)?.target, rule.target);
      if (gone && row.step === 0 && isCurrent()) rules.disable(rule.id);
      const { status, error } = result;
      if (ok) append({ type: 'alert.sent', data: { ...about, status } });
      else {
        const next_try_at = pause === null ? null : toIso(now + pause);
        const data = { ...about, status, error: error ?? 'failed', next_try_at };
        append({ type: 'alert.failed', data });
      }
      return true;
    });
    if (isRecorded && pause === null) this.#options.onSettled(rule);
    if (isRecorded) this.attempts[ok ? 'sent' : pause === null ? 'given_up' : 'failed'] += 1;
  }
}

function laneOf(rule: string, step: number): string {
  return `${rule}:${step}`;
}

function nextState(
  ok: boolean,
  dueMs: number | null,
): Pick<Settlement, 'state' | 'dueMs' | 'body'> {
  if (ok) return { state: 'sent', body: '' };
  return dueMs === null ? { state: 'dead' } : { state: 'waiting', dueMs };
}
