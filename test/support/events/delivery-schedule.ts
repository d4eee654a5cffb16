/** Plays a schedule on a real event log and a wire, and reports what each reader received wrongly. */
import { type Database } from '../../../server/db/database.ts';
import { MetaStore } from '../../../server/db/meta-store.ts';
import { type EncodedEvent, EventLog } from '../../../server/events/event-log.ts';
import { toIso } from '../../../server/lib/clock.ts';
import { FILTERS, type Operation, READERS } from '../tasks/delivery-operation.ts';
import { DeliveryReader } from './delivery-reader.ts';
import { sampleEvent } from './event-home.ts';
import { ManualClock } from '../house/manual-clock.ts';
import type { Wire } from '../transport/wire.ts';

const RETENTION = { days: 7, maxEvents: 50 };
const PAUSED_LIMIT_MS = 30_000;
/** Each lets a reader take what may be under way once; more than any schedule writes. */
const MAX_ROUNDS = 400;
/** After this many rounds without a frame it is over. */
const QUIET_ROUNDS = 2;

/** Removes all events of the open database first; returns what was wrong, as text. */
export async function playSchedule(
  database: Database,
  wire: Wire,
  operations: readonly Operation[],
): Promise<string[]> {
  database.raw.exec("DELETE FROM events; DELETE FROM sqlite_sequence WHERE name = 'events'");
  const life = new Life(database, wire);
  await life.begin();
  for (const operation of operations) await life.perform(operation);
  return life.finish();
}

class Life {
  readonly #database: Database;
  readonly #wire: Wire;
  readonly #clock = new ManualClock();
  readonly #written = new Map<string, EncodedEvent[]>();
  readonly #readers: DeliveryReader[];
  #log: EventLog;

  constructor(database: Database, wire: Wire) {
    this.#database = database;
    this.#wire = wire;
    this.#log = this.#openLog();
    this.#readers = Array.from(
      { length: READERS },
      () => new DeliveryReader(wire, () => this.#log),
    );
  }

  async begin(): Promise<void> {
    this.#append(10);
    await this.#wire.serve(this.#log, this.#clock);
  }

  async perform(operation: Operation): Promise<void> {
    const reader = 'reader' in operation ? this.#readers[operation.reader] : undefined;
    switch (operation.do) {
      case 'append': {
        this.#append(operation.count);
        return;
      }
      case 'fail': {
        this.#fail(operation.count);
        return;
      }
      case 'turn':
        return this.#wire.turn();
      case 'subscribe':
        return reader?.subscribe(FILTERS[operation.filter] ?? ALL, operation.start);
      case 'stall':
        return reader?.stall();
      case 'flow':
        return reader?.flow(operation.frames);
      case 'ack':
        return reader?.ack();
      case 'cut':
        return reader?.cut();
      case 'late':
        // Half a minute is long: an active reader has caught up.
        await this.#wire.settle();
        {
          this.#clock.advance(PAUSED_LIMIT_MS);
          return;
        }
      case 'prune':
        await this.#wire.heard();
        this.#log.prune();
        return;
      case 'restore':
        return this.#restore(operation.lacks);
    }
  }

  async finish(): Promise<string[]> {
    let [frames, quiet] = [-1, 0];
    for (let round = 0; round < MAX_ROUNDS && quiet < QUIET_ROUNDS; round += 1) {
      for (const reader of this.#readers) {
        if (!reader.isSubscribed) reader.subscribe(ALL, 'cursor');
        reader.flow(null);
        reader.ack();
      }
      await this.#wire.settle();
      const now = this.#readers.reduce((sum, reader) => sum + reader.frames, 0);
      quiet = now === frames ? quiet + 1 : 0;
      frames = now;
    }
    const wrong = this.#readers.flatMap((reader) => reader.judge(this.#written));
    await this.#wire.close();
    const left = { subscriptions: this.#wire.subscriptions(), timers: this.#clock.pending };
    if (left.subscriptions + left.timers > 0) wrong.push(`left behind: ${JSON.stringify(left)}`);
    return wrong;
  }

  #openLog(): EventLog {
    return new EventLog({ database: this.#database, clock: this.#clock, retention: RETENTION });
  }

  #append(count: number): void {
    const from = this.#log.head;
    this.#log.write((append) => {
      for (let n = 1; n <= count; n += 1) append(sampleEvent(from + n));
    });
    const written = this.#written.get(this.#log.epoch) ?? [];
    this.#written.set(this.#log.epoch, [...written, ...this.#log.read(from, count)]);
  }

  #fail(count: number): void {
    try {
      this.#log.write((append) => {
        // Not the events that the next transaction appends.
        for (let n = 1; n <= count; n += 1) append(sampleEvent(this.#log.head + n + 2));
        throw new Error('a change of state that fails');
      });
    } catch {
      // As intended.
    }
  }

  async #restore(lacks: number): Promise<void> {
    await this.#wire.close();
    const { epoch, head, oldest } = this.#log;
    const last = Math.max(oldest, head - lacks);
    const { raw } = this.#database;
    raw.prepare('DELETE FROM events WHERE seq > ?').run(last);
    raw.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'events'").run(last);
    const mark = { at: toIso(this.#clock.now()), ended_runs: null };
    const life = new MetaStore(this.#database).markRestored(mark);
    const kept = (this.#written.get(epoch) ?? []).filter(({ seq }) => seq <= last);
    this.#written.set(life, kept);
    this.#log = this.#openLog();
    await this.#wire.serve(this.#log, this.#clock);
  }
}

const [ALL = { types: ['*'], sessions: null }] = FILTERS;
