/**
 * Past and current loops, from the log. Reads only the requested loops, a page at a time, and
 * yields between two pages: a log may hold a million events.
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { EventRecord } from '../../shared/schema/events/events.ts';
import { isOfLoop, LoopHistory } from '../../shared/rules/loops/loop-history.ts';
import type { HistoryPage, PastLoop } from '../../shared/schema/loops/past-loop.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { StoredEvent } from '../events/encode-event.ts';
import type { EventLog } from '../events/event-log.ts';

/** Events read at once: some milliseconds. */
const PAGE_EVENTS = 500;

type PagedLog = Pick<EventLog, 'sessions' | 'readAmong' | 'typesBefore'>;

interface Start {
  session: string;
  seq: number;
}

export class LoopHistoryReader {
  readonly #log: PagedLog;
  readonly #clock: Clock;

  constructor(log: PagedLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Newest first. Without `session`: of all sessions. */
  async read({ session, limit }: { session?: string; limit: number }): Promise<HistoryPage> {
    const sessions = session === undefined ? this.#log.sessions() : [session];
    const starts: Start[] = [];
    for (const name of sessions) starts.push(...(await this.#newestStarts(name, limit)));
    const wanted = starts.sort((a, b) => b.seq - a.seq).slice(0, limit);
    const now = this.#clock.now();
    const runs: PastLoop[] = [];
    for (const name of sessions) {
      const oldest = wanted.findLast((start) => start.session === name);
      // With room left, the oldest loop counts too, whose start is no longer in the log.
      if (wanted.length < limit) runs.push(...(await this.#loopsAfter(name, 0, now)));
      else if (oldest) runs.push(...(await this.#loopsAfter(name, oldest.seq - 1, now)));
    }
    runs.sort((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at));
    return { as_of: toIso(now), runs: runs.slice(0, limit) };
  }

  async #newestStarts(session: string, limit: number): Promise<Start[]> {
    const starts: Start[] = [];
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const page = this.#log.typesBefore({ session }, before, PAGE_EVENTS);
      for (const { seq, type } of page) {
        if (type === 'auto.started') starts.push({ session, seq });
        if (starts.length === limit) return starts;
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_EVENTS) return starts;
      before = last.seq;
      await nextTick();
    }
  }

  /** Newest first. */
  async #loopsAfter(session: string, after: number, nowMs: number): Promise<PastLoop[]> {
    const history = new LoopHistory(session);
    let cursor = after;
    for (;;) {
      const page = this.#log.readAmong({ session }, cursor, PAGE_EVENTS);
      for (const event of page) if (isOfLoop(event.type)) history.add(record(event, session));
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_EVENTS) return history.runs(nowMs).reverse();
      cursor = last.seq;
      await nextTick();
    }
  }
}

function record({ seq, at, type, data }: StoredEvent, session: string): EventRecord {
  return { seq, at, type, session, data: JSON.parse(data) as unknown } as EventRecord;
}
