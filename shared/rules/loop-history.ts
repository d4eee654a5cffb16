/** The runs of one session's loops, told by its events alone, one by one and in their order. */
import type { EventRecord } from '../schema/events.ts';
import type { PastLoop } from '../schema/loops/past-loop.ts';
import { LoopSummary } from './loop-summary.ts';

/** Takes an event type; tells whether it says anything of a run, so that others need not be read. */
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

  /** Takes the next event of the session; the log may lack those before it. */
  add(event: EventRecord): void {
    if (!isOfLoop(event.type)) return;
    const atMs = Date.parse(event.at);
    this.#run?.reach(atMs);
    if (event.type === 'auto.started') {
      // A run whose end nobody wrote down was over when this one began.
      this.#close();
      const { run_id, task_dir, agent } = event.data;
      const origin = { session: this.#session, run_id, task_dir, agent, complete: true };
      this.#run = new LoopSummary(origin, atMs);
      return;
    }
    this.#run ??= this.#unknownRun(event, atMs);
    this.#run?.add(event);
    if (event.type === 'auto.ended' || event.type === 'auto.failed') this.#close();
  }

  /** Takes the time in milliseconds since 1970; gives the runs so far, oldest first. */
  runs(nowMs: number): PastLoop[] {
    return this.#run === null ? [...this.#over] : [...this.#over, this.#run.asOf(nowMs)];
  }

  /** A run that goes on in an event while its beginning is not in the log. */
  #unknownRun(event: EventRecord, atMs: number): LoopSummary | null {
    // An agent comes and goes without a loop as well.
    if (event.type === 'session.agent_changed') return null;
    // The removal of a failed loop is no end of another.
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
