/** Summarizes one loop from its events, in order: its outcome and where its time went. */
import type { EventData, EventRecord } from '../../schema/events/events.ts';
import type { PastLoop, LoopSeconds, WaitsFor } from '../../schema/loops/past-loop.ts';

type Result = Pick<
  PastLoop,
  | 'outcome'
  | 'reason'
  | 'unproven'
  | 'evidence'
  | 'error'
  | 'iterations'
  | 'restart_count'
  | 'recovery_count'
>;

/** Known from the loop's start; nulls when that is no longer in the log. */
export type LoopOrigin = Pick<PastLoop, 'session' | 'run_id' | 'task_dir' | 'agent' | 'complete'>;

export class LoopSummary {
  #origin: LoopOrigin;
  readonly #startedMs: number;
  readonly #spentMs: LoopSeconds = { working: 0, waiting: 0, quota: 0, recovering: 0 };
  readonly #result: Result = {
    outcome: null,
    reason: null,
    unproven: null,
    evidence: [],
    error: null,
    iterations: 0,
    restart_count: 0,
    recovery_count: 0,
  };
  /** Time is accounted for up to here, in milliseconds since 1970. */
  #reachedMs: number;
  #starting: boolean;
  /** A requested stop is final; the agent can withdraw one it announced. */
  #stopping: 'requested' | 'announced' | null = null;
  #inQuota = false;
  #recovering = false;
  #agentWaits = false;

  /** `startedMs` in milliseconds since 1970. */
  constructor(origin: LoopOrigin, startedMs: number) {
    this.#origin = origin;
    this.#startedMs = startedMs;
    this.#reachedMs = startedMs;
    this.#starting = origin.complete;
  }

  /** Accounts for the time up to then. A wall clock that goes back adds nothing. */
  reach(atMs: number): void {
    this.#spentMs[this.#share()] += Math.max(0, atMs - this.#reachedMs);
    this.#reachedMs = Math.max(this.#reachedMs, atMs);
  }

  /** A loop that came with another database: its time until then, in milliseconds since 1970. */
  adopt(known: NonNullable<EventData<'auto.started'>['adopted']>, atMs: number): void {
    this.#count({ iterations: known.iteration });
    if (known.quota_since !== null) {
      this.reach(Date.parse(known.quota_since));
      this.#inQuota = true;
    }
    this.reach(atMs);
  }

  /** Call `reach` with the event's time first. */
  add(event: EventRecord): void {
    switch (event.type) {
      case 'session.agent_changed': {
        const state = event.data.agent?.state ?? null;
        this.#agentWaits = state === 'waiting';
        if (state !== null && state !== 'starting' && state !== 'exited') this.#starting = false;
        return;
      }
      case 'auto.signal':
        return this.#onSignal(event.data);
      case 'auto.stall_suspected':
        this.#recovering = true;
        return;
      case 'auto.recovery_tried':
      case 'auto.recovery_failed':
        this.#count({ recovery_count: event.data.recovery_count_total });
        // A failed request counts as recovering, like a stall; a nudge is part of the quota wait.
        if (event.data.cause === 'api_error') this.#recovering = true;
        return;
      case 'auto.recovered':
        this.#recovering = false;
        return;
      case 'auto.quota_entered':
        this.#starting = false;
        this.#recovering = false;
        this.#inQuota = true;
        return;
      case 'auto.quota_left':
        this.#inQuota = false;
        return;
      case 'auto.restart_scheduled':
        this.#result.restart_count += 1;
        this.#starting = false;
        this.#agentWaits = false;
        this.#recovering = true;
        return;
      case 'auto.restarted':
        this.#recovering = false;
        return;
      case 'auto.stop_requested':
        this.#recovering = false;
        this.#stopping = 'requested';
        return;
      case 'auto.sent_back':
        this.#stopping = null;
        return;
      case 'auto.ended':
        return this.#finish('ended', event.data);
      case 'auto.failed':
        return this.#finish('failed', event.data);
      default:
        return;
    }
  }

  /** `isOver`: it ended at the time last reached. */
  asRun(isOver: boolean): PastLoop {
    const { working, waiting, quota, recovering } = this.#spentMs;
    return {
      ...this.#origin,
      started_at: iso(this.#startedMs),
      ended_at: isOver ? iso(this.#reachedMs) : null,
      ...this.#result,
      seconds: {
        working: working / 1000,
        waiting: waiting / 1000,
        quota: quota / 1000,
        recovering: recovering / 1000,
      },
      current_share: isOver ? null : this.#share(),
      waits_for: !isOver && this.#share() === 'waiting' ? this.#waitsFor() : null,
    };
  }

  /** Accounts for the time up to then without changing this object. */
  asOf(nowMs: number): PastLoop {
    const share = this.#share();
    const run = this.asRun(false);
    const more = Math.max(0, nowMs - this.#reachedMs) / 1000;
    return { ...run, seconds: { ...run.seconds, [share]: run.seconds[share] + more } };
  }

  #share(): keyof LoopSeconds {
    if (this.#inQuota) return 'quota';
    if (this.#recovering) return 'recovering';
    return this.#starting || this.#stopping !== null || this.#agentWaits ? 'waiting' : 'working';
  }

  /** What the agent asks comes first: without an answer it neither starts nor stops. */
  #waitsFor(): WaitsFor {
    if (this.#agentWaits) return 'person';
    return this.#stopping === null ? 'start' : 'stop';
  }

  #onSignal({ next, iteration }: EventData<'auto.signal'>): void {
    this.#count({ iterations: iteration });
    this.#starting = false;
    this.#recovering = false;
    if (this.#stopping !== 'requested') this.#stopping = next === '(stop)' ? 'announced' : null;
  }

  #finish(outcome: 'ended' | 'failed', summary: EventData<'auto.ended'>): void {
    const { task_dir, reason, evidence, error, unproven = null } = summary;
    const { iteration, restart_count, recovery_count } = summary;
    this.#origin = { ...this.#origin, task_dir };
    Object.assign(this.#result, { outcome, reason, unproven, evidence, error });
    this.#count({ iterations: iteration, restart_count, recovery_count });
  }

  /** Counts only grow: the log may lack the beginning, and the machine forgives restarts. */
  #count(counts: Partial<Pick<Result, 'iterations' | 'restart_count' | 'recovery_count'>>): void {
    for (const [name, count] of Object.entries(counts) as [keyof typeof counts, number][]) {
      this.#result[name] = Math.max(this.#result[name], count);
    }
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
