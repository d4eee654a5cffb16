/**
 * A random history of an event log and its readers: appends, prunes, restarts of the log; readers
 * that are slow, disconnect and return with their cursor. Knows what each of them must have seen.
 */
import type { EncodedEvent, EventLog } from '../../../server/events/event-log.ts';
import {
  type EventFilter,
  eventSelector,
  eventStream,
  type StreamItem,
} from '../../../server/events/event-stream.ts';
import { type EventHome, sampleEvent } from './event-home.ts';
import type { Random } from '../house/random.ts';

const KEPT = 400;

const FILTERS: readonly EventFilter[] = [
  { types: ['*'], sessions: null },
  { types: ['auto.*'], sessions: null },
  { types: ['session.closed', 'daemon.*'], sessions: null },
  { types: ['*'], sessions: ['even'] },
];

/** The log of the home must be open; returns what was wrong, as text. */
export async function runResumeSchedule(home: EventHome, random: Random): Promise<string[]> {
  const life = new Life(home, random);
  for (let step = random.int(10, 30); step > 0; step -= 1) await life.step();
  return life.finish();
}

class Life {
  readonly #home: EventHome;
  readonly #random: Random;
  readonly #written: EncodedEvent[] = [];
  readonly #readers: Reader[];
  #log: EventLog;

  constructor(home: EventHome, random: Random) {
    this.#home = home;
    this.#random = random;
    this.#log = home.log ?? home.open({ maxEvents: KEPT }).log;
    // Cursor 0 means "the oldest kept", which is never a gap: no reader starts there.
    if (this.#log.head === 0) this.#append(1);
    const start = this.#log.head;
    this.#readers = FILTERS.map((filter) => new Reader(filter, start, this.#log.epoch));
  }

  async step(): Promise<void> {
    const random = this.#random;
    const dice = random.next();
    if (dice < 0.5) this.#append(random.chance(0.1) ? random.int(400, 1_200) : random.int(1, 20));
    else if (dice < 0.6) this.#log.prune();
    else if (dice < 0.62) await this.#restart();
    const reader = random.pick(this.#readers);
    if (random.chance(0.2)) await reader.leave();
    else if (random.chance(0.5)) reader.come(this.#log);
    for (const each of this.#readers) each.slow = random.chance(0.3);
    if (random.chance(0.7)) await turn();
  }

  async finish(): Promise<string[]> {
    for (const reader of this.#readers) {
      reader.slow = false;
      reader.come(this.#log);
    }
    while (this.#readers.some(({ cursor }) => cursor < this.#log.head)) await turn();
    for (const reader of this.#readers) await reader.leave();
    return this.#readers.flatMap((reader) => reader.judge(this.#written));
  }

  #append(count: number): void {
    const from = this.#log.head;
    this.#log.write((append) => {
      for (let n = 1; n <= count; n += 1) append(sampleEvent(from + n));
    });
    this.#written.push(...this.#log.read(from, count));
  }

  /** The log as a daemon finds it after a kill. */
  async #restart(): Promise<void> {
    for (const reader of this.#readers) await reader.leave();
    this.#log = this.#home.open({ maxEvents: KEPT }).log;
  }
}

/** What one reader saw, in stretches: each begins at a cursor and ends at a reset or at the end. */
class Reader {
  cursor: number;
  slow = false;
  readonly #filter: EventFilter;
  readonly #epoch: string;
  readonly #stretches: { after: number; events: EncodedEvent[]; upTo: number }[] = [];
  readonly #wrong: string[] = [];
  #here: { end: AbortController; reading: Promise<void> } | null = null;

  constructor(filter: EventFilter, cursor: number, epoch: string) {
    this.#filter = filter;
    this.#epoch = epoch;
    this.cursor = cursor;
    this.#stretches.push({ after: cursor, events: [], upTo: cursor });
  }

  come(log: EventLog): void {
    if (this.#here !== null) return;
    const end = new AbortController();
    this.#here = { end, reading: this.#read(log, end.signal) };
  }

  async leave(): Promise<void> {
    this.#here?.end.abort();
    this.slow = false;
    await this.#here?.reading;
    this.#here = null;
  }

  judge(written: readonly EncodedEvent[]): string[] {
    const selects = eventSelector(this.#filter);
    for (const { after, events, upTo } of this.#stretches) {
      const due = written.filter(
        (event) => event.seq > after && event.seq <= upTo && selects(event),
      );
      const at = due.findIndex(({ json }, index) => events[index]?.json !== json);
      if (at === -1 && events.length === due.length) continue;
      const [saw, wanted] = [events.at(at)?.seq, due.at(at)?.seq];
      this.#wrong.push(`after ${after} up to ${upTo}: saw ${saw ?? 0} for ${wanted ?? 0}`);
    }
    return this.#wrong;
  }

  async #read(log: EventLog, signal: AbortSignal): Promise<void> {
    const cursor = { after: this.cursor, epoch: this.#epoch };
    for await (const item of eventStream(log, cursor, this.#filter, signal)) {
      this.#see(item, log);
      while (this.slow && !signal.aborted) await turn();
      if (signal.aborted) return;
    }
  }

  #see(item: StreamItem, log: EventLog): void {
    const stretch = this.#stretches.at(-1);
    if (stretch === undefined) return;
    if (item.kind === 'events') {
      stretch.events.push(...item.events);
      stretch.upTo = item.cursor;
      this.cursor = item.cursor;
      return;
    }
    if (item.reason !== 'expired' || this.cursor >= log.oldest - 1) {
      this.#wrong.push(`reset ${item.reason} of cursor ${this.cursor}, kept from ${log.oldest}`);
    }
    this.cursor = item.head;
    this.#stretches.push({ after: item.head, events: [], upTo: item.head });
  }
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
