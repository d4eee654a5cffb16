/**
 * Derives the history of sessions and loops from their events only, and reports where it breaks a
 * rule: the same facts that a daemon holds in its tables.
 */
import type { EventRecord } from '../../../shared/schema/events/events.ts';

/** One life of a loop; its number is its limit in minutes, which tests make unique per start. */
export interface Run {
  number: number;
  session: string;
  taskDir: string;
  status: 'live' | 'failed' | 'ended';
  startedSeq: number;
  /** Of the first request to stop; null while there is none. */
  stopSeq: number | null;
  iteration: number;
}

export class LoopHistory {
  readonly broken: string[] = [];
  readonly runs: Run[] = [];
  readonly sessions = new Set<string>();
  /** How many times an agent may have been started in a directory. */
  readonly launches = new Map<string, number>();
  lastSeq = 0;

  record(events: readonly EventRecord[]): void {
    for (const event of events) this.#record(event);
  }

  /** The newest loop of a session. */
  runOf(session: string): Run | undefined {
    return this.runs.findLast((run) => run.session === session);
  }

  /** The loop of a session at the time an event of it got that seq. */
  runAt(session: string, seq: number): Run | undefined {
    return this.runs.findLast((run) => run.session === session && run.startedSeq < seq);
  }

  get live(): Run[] {
    return this.runs.filter(({ status }) => status === 'live');
  }

  #record(event: EventRecord): void {
    if (event.seq !== this.lastSeq + 1) this.#breaks('EV2 seq', event);
    this.lastSeq = event.seq;
    const session = event.session ?? '';
    switch (event.type) {
      case 'session.created':
        if (this.sessions.has(session) !== event.data.reopened) this.#breaks('session', event);
        this.sessions.add(session);
        return;
      case 'session.closed':
        if (this.runOf(session)?.status === 'live') this.#breaks('RC5', event);
        if (!this.sessions.delete(session)) this.#breaks('session', event);
        return;
      case 'auto.started':
        return this.#start(session, event);
      default:
        if (event.type.startsWith('auto.')) this.#continue(event);
    }
  }

  #start(session: string, event: Extract<EventRecord, { type: 'auto.started' }>): void {
    const { timeout_minutes: number, task_dir: taskDir } = event.data;
    const taken = this.live.some((run) => run.session === session || run.taskDir === taskDir);
    if (taken || !this.sessions.has(session)) this.#breaks('LP4', event);
    const run = { number, session, taskDir, startedSeq: event.seq, stopSeq: null, iteration: 0 };
    this.runs.push({ ...run, status: 'live' });
    this.#launch(taskDir);
  }

  #continue(event: EventRecord): void {
    const run = this.runOf(event.session ?? '');
    if (run === undefined) return this.#breaks('a run', event);
    const removed = event.type === 'auto.ended' && run.status === 'failed';
    if (run.status !== 'live' && !removed) this.#breaks('nothing after the end', event);
    switch (event.type) {
      case 'auto.stop_requested':
        run.stopSeq ??= event.seq;
        return;
      case 'auto.restart_scheduled':
        if (run.stopSeq !== null || event.data.restart_count > 3) this.#breaks('RC3', event);
        return this.#launch(run.taskDir);
      case 'auto.restarted':
        if (run.stopSeq !== null) this.#breaks('RC3', event);
        return;
      case 'auto.signal':
        if (event.data.iteration < run.iteration) this.#breaks('LP5', event);
        run.iteration = event.data.iteration;
        return;
      case 'auto.ended':
        run.status = 'ended';
        return;
      case 'auto.failed':
        run.status = 'failed';
        return;
      default:
        return;
    }
  }

  #launch(taskDir: string): void {
    this.launches.set(taskDir, (this.launches.get(taskDir) ?? 0) + 1);
  }

  #breaks(rule: string, event: EventRecord): void {
    this.broken.push(`${rule}: ${JSON.stringify(event)}`);
  }
}
