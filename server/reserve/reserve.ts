/**
 * What is kept of the plan's windows for people. Budgets ask before each dispatch, so that work
 * passes one gate. Knows the policy, the windows, and what a reading of them does not include yet.
 */
import type { Reserve as ReserveView, ReservePolicy } from '../../shared/schema/usage/reserve.ts';
import { ReservePolicy as PolicySchema } from '../../shared/schema/usage/reserve.ts';
import { PLAN_WINDOWS } from '../../shared/schema/usage/usage.ts';
import { reserveWindowText } from '../../shared/words/usage/reserve-text.ts';
import type { Database } from '../db/database.ts';
import type { EventLog } from '../events/event-log.ts';
import { type Clock, type Timer, toIso } from '../lib/clock.ts';
import type { PlanWindows } from '../usage/plan-windows.ts';
import type { SharedPlan } from '../usage/shared-plan.ts';
import {
  decideReserve,
  heldUntilMs,
  keptPercent,
  limitPercent,
  type WindowNow,
  windowState,
} from './decide-reserve.ts';
import { Dispatches } from './dispatches.ts';
import { localHour } from './local-hour.ts';
import { type ReserveRow, ReserveStore } from './reserve-store.ts';

const MINUTE_MS = 60_000;

/** Why work may not be dispatched now. */
export interface ReserveHold {
  /** `shared`: it may once a newer reading includes what others used. */
  kind: 'spent' | 'shared';
  text: string;
  /** Wall time in milliseconds at which it is checked again; null when that is not known. */
  untilMs: number | null;
}

export interface ReserveOptions {
  database: Database;
  log: EventLog;
  clock: Clock;
  windows: PlanWindows;
  /** Other hosts with this account. */
  shared: SharedPlan;
}

export class Reserve {
  readonly #options: ReserveOptions;
  readonly #store: ReserveStore;
  readonly #dispatches = new Dispatches();
  readonly #changed: (() => void)[] = [];
  #row: ReserveRow | null;
  #policy: ReservePolicy | null;
  /** For what waits until a reading is too old to count. */
  #later: Timer | null = null;
  /** The last answer of `heldUntilMs` for each window, because it is asked for often. */
  readonly #until = new Map<string, { key: string; atMs: number | null }>();

  constructor(options: ReserveOptions) {
    this.#options = options;
    this.#store = new ReserveStore(options.database);
    this.#row = this.#store.find();
    this.#policy = readPolicy(this.#row);
    options.windows.onChange(() => this.#announce());
  }

  /** The policy or a reading changed: what waits is checked again. */
  onChange(changed: () => void): void {
    this.#changed.push(changed);
  }

  /** Null: it may be dispatched. `atWork`: references of all that is at work now. */
  check(ref: string, atWork: () => readonly string[]): ReserveHold | null {
    const { clock } = this.#options;
    const policy = this.#policy;
    if (policy === null) return null;
    const nowMs = clock.now();
    const working = atWork();
    this.#dispatches.atWork(working, nowMs, policy.stale_minutes * MINUTE_MS);
    const windows = this.#windows(ref, nowMs);
    const elsewhere = this.#options.shared.atWork();
    const others = working.filter((each) => each !== ref).length + elsewhere;
    const decision = decideReserve(policy, windows, this.#hourAt(nowMs), { nowMs, others });
    if (decision === null) return null;
    const { kind, windows: held } = decision;
    const text = held.map((window) => this.#text(policy, window, nowMs)).join('; ');
    if (kind === 'spent') return { kind, text, untilMs: this.#untilOf(policy, held, nowMs) };
    const staleMs =
      Math.max(...held.map(({ readAtMs }) => readAtMs)) + policy.stale_minutes * MINUTE_MS;
    const untilMs = staleMs > nowMs ? staleMs + 1 : null;
    if (untilMs !== null) this.#wake(untilMs - nowMs);
    return { kind, text: `${text}; other work may use what is left`, untilMs };
  }

  /** A dispatch of it begins. */
  began(ref: string): void {
    if (this.#policy !== null) this.#dispatches.began(ref, this.#options.clock.now());
  }

  /** `atWork` and `holding`: references of work at work, and of work that waits. */
  view(atWork: () => readonly string[], holding: readonly string[]): ReserveView {
    const policy = this.#policy;
    const about = { author: this.#row?.author ?? null, changed_at: this.#row?.changedAt ?? null };
    if (policy === null) return { policy, ...about, windows: [], hold: null, holding: [] };
    const nowMs = this.#options.clock.now();
    const hold = this.check('', atWork);
    const at = this.#hourAt(nowMs);
    const windows = this.#windows('', nowMs).map((window) => ({
      window: window.name,
      used_percent: window.usedPercent,
      read_at: window.usedPercent === null ? null : toIso(window.readAtMs),
      kept_percent: keptPercent(policy, window.name, at),
      limit_percent: limitPercent(policy, window.name, at),
      not_included: window.notIncluded,
      state: windowState(policy, window, at, nowMs),
    }));
    const until = hold?.untilMs == null ? null : toIso(hold.untilMs);
    const held = hold === null ? null : { text: hold.text, until };
    return { policy, ...about, windows, hold: held, holding: [...holding] };
  }

  set(policy: ReservePolicy, author: string): void {
    const { log, clock } = this.#options;
    const row = { policy: JSON.stringify(policy), author, changedAt: toIso(clock.now()) };
    log.write((append) => {
      this.#store.save(row);
      append({ type: 'reserve.set', data: { policy, author } });
    });
    [this.#row, this.#policy] = [row, policy];
    this.#announce();
  }

  /** Nothing is kept any more. */
  remove(author: string): void {
    if (this.#policy === null) return;
    this.#options.log.write((append) => {
      this.#store.remove();
      append({ type: 'reserve.removed', data: { author } });
    });
    [this.#row, this.#policy] = [null, null];
    this.#announce();
  }

  dispose(): void {
    this.#later?.cancel();
  }

  #announce(): void {
    for (const changed of this.#changed) changed();
  }

  #wake(inMs: number): void {
    this.#later?.cancel();
    this.#later = this.#options.clock.after(inMs, () => this.#announce());
  }

  #windows(ref: string, nowMs: number): WindowNow[] {
    const readings = this.#options.windows.now();
    return PLAN_WINDOWS.map((name) => {
      const reading = readings[name];
      const resetsAtMs = reading === null ? nowMs : Date.parse(reading.resets_at);
      const readAtMs = reading === null ? 0 : Date.parse(reading.read_at);
      const usedPercent = reading === null || resetsAtMs <= nowMs ? null : reading.used_percent;
      const isOwn = reading?.host === null && ref === `loop:${reading.session}`;
      const here = this.#dispatches.notIncluded(ref, { readAtMs, isOwn });
      const notIncluded = here + this.#options.shared.atWork();
      return { name, usedPercent, readAtMs, resetsAtMs, notIncluded };
    });
  }

  #text(policy: ReservePolicy, { name, usedPercent }: WindowNow, nowMs: number): string {
    const at = this.#hourAt(nowMs);
    return reserveWindowText({
      window: name,
      used_percent: usedPercent,
      kept_percent: keptPercent(policy, name, at),
      limit_percent: limitPercent(policy, name, at),
    });
  }

  /** All of them must let it begin. */
  #untilOf(policy: ReservePolicy, held: readonly WindowNow[], nowMs: number): number | null {
    let latest = 0;
    for (const window of held) {
      const { name, usedPercent, resetsAtMs } = window;
      const key = [
        usedPercent,
        resetsAtMs,
        Math.floor(nowMs / MINUTE_MS),
        this.#row?.policy,
      ].join();
      const known = this.#until.get(name);
      const hourAt = (atMs: number) => this.#hourAt(atMs);
      const atMs = known?.key === key ? known.atMs : heldUntilMs(policy, window, nowMs, hourAt);
      this.#until.set(name, { key, atMs });
      if (atMs === null) return null;
      latest = Math.max(latest, atMs);
    }
    return latest;
  }

  #hourAt(atMs: number) {
    return localHour(atMs, this.#policy?.zone ?? 'UTC');
  }
}

/** Null also for a row that cannot be read: it must not keep a daemon from starting. */
function readPolicy(row: ReserveRow | null): ReservePolicy | null {
  if (row === null) return null;
  try {
    return PolicySchema.parse(JSON.parse(row.policy));
  } catch {
    return null;
  }
}
