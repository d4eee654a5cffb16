/** Rows of `screens`: kept snapshots, each deflated. No retention rule. */
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import { and, asc, desc, eq, gt, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm';
import {
  type PastScreen,
  type ScreenEntry,
  ScreenMoment,
} from '../../../shared/schema/past-screen.ts';
import type { Database } from '../../db/database.ts';
import { screens } from '../../db/schema.ts';
import { toIso } from '../../lib/clock.ts';
import type { Snapshot } from './screen-update.ts';
import type { KeptScreen } from './screens-to-drop.ts';

const deflate = promisify(deflateRaw);

/** SQLite accepts at most 32,766 values in one statement. */
const DELETED_AT_ONCE = 1_000;

/** A snapshot to be stored. */
export interface NewScreen {
  session: string;
  atMs: number;
  seq: number;
  moment: ScreenMoment | null;
  snapshot: Snapshot;
}

/** The stored form. Compressed on another thread. */
export async function packSnapshot(snapshot: Snapshot): Promise<Buffer> {
  return deflate(encode(snapshot));
}

/** The same synchronously, for the end of the daemon. */
export function packSnapshotNow(snapshot: Snapshot): Buffer {
  return deflateRawSync(encode(snapshot));
}

const ENTRY = {
  number: screens.number,
  atMs: screens.atMs,
  seq: screens.seq,
  moment: screens.moment,
};
const KEPT = {
  number: screens.number,
  atMs: screens.atMs,
  moment: screens.moment,
  bytes: screens.bytes,
};

export class ScreenStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Runs `act` in one transaction. Throws the database's errors. */
  write(act: () => void): void {
    this.#database.transaction(act);
  }

  /** Returns the number of the stored snapshot. */
  insert({ session, atMs, seq, moment }: NewScreen, packed: Buffer): number {
    const row = { session, atMs, seq, moment, bytes: packed.length, snapshot: packed };
    const { query } = this.#database;
    return query.insert(screens).values(row).returning({ number: screens.number }).get().number;
  }

  mark(number: number, moment: ScreenMoment): void {
    this.#database.query.update(screens).set({ moment }).where(eq(screens.number, number)).run();
  }

  has(session: string): boolean {
    return this.list(session, Number.MAX_SAFE_INTEGER, 1).length > 0;
  }

  /** At most `limit` snapshots with a number below `before`, newest first. */
  list(session: string, before: number, limit: number): ScreenEntry[] {
    return this.#database.query
      .select(ENTRY)
      .from(screens)
      .where(and(eq(screens.session, session), lt(screens.number, before)))
      .orderBy(desc(screens.number))
      .limit(limit)
      .all()
      .map(toEntry);
  }

  get(session: string, number: number): PastScreen | null {
    return this.#first(session, eq(screens.number, number));
  }

  newest(session: string): PastScreen | null {
    return this.#first(session, undefined);
  }

  /** The newest snapshot at or before that wall time. */
  asOf(session: string, atMs: number): PastScreen | null {
    return this.#first(session, lte(screens.atMs, atMs));
  }

  /** All snapshots of a session, oldest first, with the columns that decide what is kept. */
  kept(session: string): KeptScreen[] {
    const of = eq(screens.session, session);
    const rows = this.#database.query.select(KEPT).from(screens).where(of);
    return rows.orderBy(asc(screens.number)).all().map(toKept);
  }

  /** The snapshots to remove first when the total is too large: ordinary ones, then the oldest. */
  firstToGo(limit: number): KeptScreen[] {
    const rows = this.#database.query.select(KEPT).from(screens);
    const order = [asc(isNotNull(screens.moment)), asc(screens.number)];
    return rows
      .orderBy(...order)
      .limit(limit)
      .all()
      .map(toKept);
  }

  remove(numbers: readonly number[]): void {
    for (let from = 0; from < numbers.length; from += DELETED_AT_ONCE) {
      const some = numbers.slice(from, from + DELETED_AT_ONCE);
      this.#database.query.delete(screens).where(inArray(screens.number, some)).run();
    }
  }

  /** Every session that has snapshots; one seek of the index each. */
  sessions(): string[] {
    const names: string[] = [];
    for (;;) {
      const name = this.#database.query
        .select({ name: sql<string | null>`min(${screens.session})` })
        .from(screens)
        .where(gt(screens.session, names.at(-1) ?? ''))
        .get()?.name;
      if (name === null || name === undefined) return names;
      names.push(name);
    }
  }

  /** Of all snapshots, in bytes. */
  totalBytes(): number {
    const total = sql<number>`coalesce(sum(${screens.bytes}), 0)`;
    return this.#database.query.select({ total }).from(screens).get()?.total ?? 0;
  }

  #first(session: string, where: ReturnType<typeof eq> | undefined): PastScreen | null {
    const row = this.#database.query
      .select()
      .from(screens)
      .where(and(eq(screens.session, session), where))
      .orderBy(desc(screens.number))
      .limit(1)
      .get();
    const snapshot = row === undefined ? null : unpack(row.snapshot);
    return row === undefined || snapshot === null
      ? null
      : { session, ...snapshot, ...toEntry(row) };
  }
}

/** A thousand columns and rows of long characters are far less. */
const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;

/** Null for one damaged by a disk fault, or that unpacks to more than any screen. */
function unpack(packed: Buffer): Snapshot | null {
  try {
    return JSON.parse(
      inflateRawSync(packed, { maxOutputLength: MAX_SNAPSHOT_BYTES }).toString('utf8'),
    ) as Snapshot;
  } catch {
    return null;
  }
}

function encode({ cols, rows, cursor, lines }: Snapshot): Buffer {
  return Buffer.from(JSON.stringify({ cols, rows, cursor, lines }));
}

type Columns = Pick<typeof screens.$inferSelect, 'number' | 'atMs' | 'moment'>;

function toEntry({ number, atMs, seq, moment }: Columns & { seq: number }): ScreenEntry {
  return { number, at: toIso(atMs), seq, moment: toMoment(moment) };
}

function toKept({ number, atMs, moment, bytes }: Columns & { bytes: number }): KeptScreen {
  return { number, atMs, moment: toMoment(moment), bytes };
}

/** Null for a moment of a newer version. */
function toMoment(text: string | null): ScreenMoment | null {
  return ScreenMoment.nullable().catch(null).parse(text);
}
