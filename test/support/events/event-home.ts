/** Event logs on real database files, without a daemon. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { EventLog, type Retention } from '../../../server/events/event-log.ts';
import type { Clock } from '../../../server/lib/clock.ts';
import { ManualClock } from '../house/manual-clock.ts';
import { TEST_ROOT } from '../house/test-root.ts';

const KEEP_ALL: Retention = { days: 7, maxEvents: 1_000_000 };

/** A home whose database can be opened repeatedly; disposing removes it. */
export class EventHome {
  readonly path: string;
  readonly clock = new ManualClock();
  readonly #temporary: boolean;
  /** The log that was opened last. */
  log: EventLog | null = null;
  #database: Database | null = null;

  /** Uses the home of a world, or creates one. */
  constructor(path?: string) {
    this.#temporary = path === undefined;
    this.path = path ?? mkdtempSync(join(TEST_ROOT, 'e'));
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
  }

  /** Opens the log as a new daemon would. */
  open(retention: Partial<Retention> = {}, clock: Clock = this.clock) {
    this.#database?.close();
    const database = openDatabase(this.path);
    this.#database = database;
    const log = new EventLog({ database, clock, retention: { ...KEEP_ALL, ...retention } });
    this.log = log;
    return { database, log };
  }

  [Symbol.dispose](): void {
    this.#database?.close();
    if (this.#temporary) rmSync(this.path, { recursive: true });
  }
}

/** The `number`th of a series of different events: three in four belong to one of two sessions. */
export function sampleEvent(number: number): EventDraft {
  const session = number % 2 === 0 ? 'even' : 'odd';
  switch (number % 4) {
    case 0:
      return { type: 'session.closed', session, data: { reason: 'requested' } };
    case 1:
      return {
        type: 'auto.signal_rejected',
        session,
        data: { cause: 'stale', detail: `n ${number}` },
      };
    case 2:
      return {
        type: 'auto.limits_changed',
        session,
        data: { max_iterations: number, timeout_minutes: 30 },
      };
    default:
      return { type: 'daemon.stopping', data: {} };
  }
}

/** Appends `count` different events, each thousand in one transaction. */
export function fill(log: EventLog, count: number): void {
  for (let from = 0; from < count; from += 1000) {
    log.write((append) => {
      for (let n = from; n < Math.min(from + 1000, count); n += 1) append(sampleEvent(n));
    });
  }
}

/** The events in the database, oldest first: the truth that every reader is compared with. */
export function rowsOf(
  { raw }: Database,
  after = 0,
): { seq: number; type: string; session: string | null }[] {
  const rows = raw.prepare('SELECT seq, type, session FROM events WHERE seq > ? ORDER BY seq');
  return rows.all(after) as { seq: number; type: string; session: string | null }[];
}
