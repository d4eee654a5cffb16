/**
 * Loops that stopped after a step for a budget, or because the rest of a window is kept for people:
 * they start again once they may, at a distance. Of those that waited for a window, one first tries
 * the limit.
 */
import type { Loop } from '../../shared/schema/model.ts';
import type { RestartAuto } from '../../shared/schema/requests.ts';
import type { Budgets } from '../budgets/budgets.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { QuotaGate } from '../supervision/quota-gate.ts';
import { loopWork } from './executor/loop-usage.ts';

const STAGGER_MS = 5_000;
/** One at work this long after its start has found the limit open. */
const PROBE_MS = 60_000;
/** After a start that was refused, for example because a person has the keys. */
const RETRY_MS = 60_000;

export interface HeldLoopsOptions {
  clock: Clock;
  logger: Log;
  quota: QuotaGate;
  budgets: Budgets;
  sessions: Sessions;
  loops: {
    list: () => Loop[];
    restart: (session: string, changes: RestartAuto, author?: string) => Promise<unknown>;
  };
}

export class HeldLoops {
  readonly #options: HeldLoopsOptions;
  readonly #timers = new Set<Timer>();
  #next: Timer | null = null;
  #isStarting = false;
  #isOpen = true;

  constructor(options: HeldLoopsOptions) {
    this.#options = options;
    options.budgets.onChange(() => this.check());
  }

  /** What holds loops may have changed, or a loop began to wait. */
  check(): void {
    const { clock, quota, budgets, sessions, loops } = this.#options;
    if (!this.#isOpen || this.#isStarting) return;
    this.#next?.cancel();
    const holds = loops
      .list()
      .filter(isHeld)
      .sort((one, other) => ((one.status_since ?? '') < (other.status_since ?? '') ? -1 : 1))
      .map((loop) => {
        const { session_name: sessionName, started_by: by } = loop;
        const hold = budgets.check(loopWork({ sessionName, startedBy: by ?? '' }, sessions));
        return { loop, hold };
      });
    // The one that waits longest first.
    const free = holds.find(({ hold }) => hold === null)?.loop;
    if (free === undefined) {
      const times = holds.flatMap(({ hold }) => hold?.untilMs ?? []);
      if (times.length > 0) this.#again(Math.min(...times) - clock.now());
    } else if (!triesLimit(free) || quota.admits(keyOf(free.session_name))) void this.#start(free);
    else this.#again(STAGGER_MS);
  }

  dispose(): void {
    this.#isOpen = false;
    this.#next?.cancel();
    for (const timer of this.#timers) timer.cancel();
  }

  async #start(loop: Loop): Promise<void> {
    const { logger, quota, loops } = this.#options;
    const name = loop.session_name;
    const isFirst = triesLimit(loop);
    this.#isStarting = true;
    if (isFirst) quota.report(keyOf(name), 'tried');
    let nextMs = STAGGER_MS;
    try {
      await loops.restart(name, limitsLeft(loop), loop.started_by ?? undefined);
      if (isFirst) this.#probe(name);
    } catch (error) {
      if (isFirst) quota.report(keyOf(name), 'left');
      logger.warn({ err: error, session: name }, 'the loop could not start again');
      nextMs = RETRY_MS;
    }
    this.#isStarting = false;
    this.#again(nextMs);
  }

  /** Whether it ran into the limit again decides for the others. */
  #probe(name: string): void {
    const { clock, quota, loops } = this.#options;
    const timer = clock.after(PROBE_MS, () => {
      this.#timers.delete(timer);
      const now = loops.list().find((loop) => loop.session_name === name)?.status;
      const news = now === 'quota_wait' ? 'closed' : now === 'running' ? 'opened' : 'left';
      quota.report(keyOf(name), news);
      this.check();
    });
    this.#timers.add(timer);
  }

  #again(inMs: number): void {
    this.#next?.cancel();
    if (!this.#isOpen) return;
    this.#next = this.#options.clock.after(Math.max(0, inMs), () => this.check());
  }
}

function isHeld({ status, stop_reason: reason }: Loop): boolean {
  return status === 'failed' && (reason === 'reserve' || reason === 'budget');
}

function triesLimit(loop: Loop): boolean {
  return loop.stop_reason === 'reserve';
}

/** What is left of its limits, so that a loop that was started again has no more than was given. */
function limitsLeft(loop: Loop): RestartAuto {
  const { max_iterations: most, iteration, timeout_minutes: minutes, elapsed_seconds: past } = loop;
  return {
    ...(most === null ? {} : { maxIterations: Math.max(1, most - (iteration ?? 0)) }),
    ...(minutes === null
      ? {}
      : { timeoutMinutes: Math.max(1, minutes - Math.floor((past ?? 0) / 60)) }),
  };
}

/** As its supervisor reports to the gate. */
function keyOf(session: string): string {
  return `session ${session}`;
}
