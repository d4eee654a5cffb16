/** Rebuilds the loops of one session from its events, added in order. */
import type { EventRecord } from '../../schema/events/events.ts';
import type { PastLoop } from '../../schema/loops/past-loop.ts';
import { LoopSummary } from './loop-summary.ts';

/** Only these events can change a loop; the others need not be read. */
export function isOfLoop(type: string): boolean {
  return type.startsWith('auto.') || type === 'session.agent_changed';
}

export class LoopHistory {
  readonly #session: string;
  readonly #over: PastLoop[] = [];
  #run: LoopSummary | null = null;

  constructor(session: string) {
    this.#session = session;
  }

  /** Earlier events may be missing from the log. */
  add(event: EventRecord): void {
    if (!isOfLoop(event.type)) return;
    const atMs = Date.parse(event.at);
    this.#run?.reach(atMs);
    if (event.type === 'auto.started') {
      // A loop without a recorded end was over when this one started.
      this.#close();
      const { run_id, task_dir, agent, adopted } = event.data;
      const complete = adopted === undefined;
      const origin = { session: this.#session, run_id, task_dir, agent, complete };
      this.#run = new LoopSummary(origin, complete ? atMs : Date.parse(adopted.started_at));
      if (!complete) this.#run.adopt(adopted, atMs);
      return;
    }
    this.#run ??= this.#unknownRun(event, atMs);
    this.#run?.add(event);
    if (event.type === 'auto.ended' || event.type === 'auto.failed') this.#close();
  }

  /** Oldest first; `nowMs` in milliseconds since 1970. */
  runs(nowMs: number): PastLoop[] {
    return this.#run === null ? [...this.#over] : [...this.#over, this.#run.asOf(nowMs)];
  }

  /** The newest loop as of then, and how many were before it; null before the first. */
  latest(nowMs: number): { before: number; run: PastLoop } | null {
    if (this.#run !== null) return { before: this.#over.length, run: this.#run.asOf(nowMs) };
    const run = this.#over.at(-1);
    return run === undefined ? null : { before: this.#over.length - 1, run };
  }

  /** A running loop whose beginning is not in the log. */
  #unknownRun(event: EventRecord, atMs: number): LoopSummary | null {
    // Agents also start and end without a loop.
    if (event.type === 'session.agent_changed') return null;
    // The removal of a failed loop does not end another.
    if (event.type === 'auto.ended' && this.#over.at(-1)?.outcome === 'failed') return null;
    const unknown = { run_id: null, task_dir: null, agent: null, complete: false };
    return new LoopSummary({ session: this.#session, ...unknown }, atMs);
  }

  #close(): void {
    if (this.#run === null) return;
    this.#over.push(this.#run.asRun(true));
    this.#run = null;
  }
}
