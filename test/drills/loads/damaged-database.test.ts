/** A database file that the disk or another program damaged, at any place. */
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AutoStore } from '../../../server/auto/stores/auto-store.ts';
import { freshLoop } from '../../../server/auto/machine/fresh-loop.ts';
import { DATABASE_FILE, DatabaseError, openDatabase } from '../../../server/db/database.ts';
import { EventLog } from '../../../server/events/event-log.ts';
import { systemCode } from '../../../server/lib/app-error.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { isDamageCode } from '../../../server/lib/files/storage-error.ts';
import { fill } from '../../support/events/event-home.ts';
import { type Random, seeded, sized } from '../../support/house/random.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const FLIPS = sized({ short: 300, middle: 1_000, long: 20_000 });
const EVENTS = 200;
const LOOPS = 20;

it('FA13 ST4 RC4 a bit that flips anywhere costs one record or is refused, never all', async () => {
  await seeded((random) => {
    using home = new FilledHome();
    const outcomes = { refused: 0, read: 0, recordsLost: 0 };
    for (let n = 0; n < FLIPS; n += 1) {
      const bytes = Buffer.from(home.sound);
      const place = flip(bytes, random);
      writeFileSync(home.file, bytes);
      try {
        const { events, loops, failed } = home.open();
        outcomes.read += 1;
        outcomes.recordsLost += failed;
        expect({ place, events, loops }).toEqual({ place, events: EVENTS, loops: LOOPS });
        expect(failed).toBeLessThanOrEqual(1);
      } catch (error) {
        const isRefusal = error instanceof DatabaseError || isDamageCode(systemCode(error) ?? '');
        if (!isRefusal) throw error;
        outcomes.refused += 1;
        expect(readFileSync(home.file).equals(bytes)).toBe(true);
      }
      home.forget();
    }
    console.log(`${FLIPS} flipped bits: ${JSON.stringify(outcomes)}`);
    expect(outcomes.read).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  });
});

it('FA22, ST4 a database cut at any length is refused and left unchanged', async () => {
  await seeded((random) => {
    using home = new FilledHome();
    for (let n = 0; n < 50; n += 1) {
      const bytes = home.sound.subarray(0, random.int(1, home.sound.length - 1));
      writeFileSync(home.file, bytes);
      expect(() => home.open(), `cut to ${bytes.length} of ${home.sound.length}`).toThrow(
        DatabaseError,
      );
      expect(readFileSync(home.file).equals(bytes)).toBe(true);
      home.forget();
    }
  });
});

it('FA22, ST4 a write-ahead log with a damaged head is refused and left unchanged', () => {
  using home = new FilledHome();
  const wal = `${home.file}-wal`;
  const copy = `${wal}-copy`;
  const database = openDatabase(home.path);
  fill(new EventLog({ database, clock: systemClock, retention: KEEP }), 10);
  copyFileSync(wal, copy);
  database.close();
  const bytes = readFileSync(copy);
  rmSync(copy);
  bytes.fill(0x5a, 0, 32);
  writeFileSync(home.file, home.sound);
  writeFileSync(wal, bytes);
  expect(() => home.open()).toThrow(/write-ahead log.*backup/);
  expect(readFileSync(wal).equals(bytes)).toBe(true);
});

const KEEP = { days: 7, maxEvents: 1_000_000 };

/** A home with events and loops, as the bytes of its database. */
class FilledHome {
  readonly path = mkdtempSync(join(TEST_ROOT, 'd'));
  readonly file = join(this.path, DATABASE_FILE);
  readonly sound: Buffer;

  constructor() {
    const database = openDatabase(this.path);
    fill(new EventLog({ database, clock: systemClock, retention: KEEP }), EVENTS);
    const store = new AutoStore(database);
    for (let n = 0; n < LOOPS; n += 1) {
      const startedAt = '2026-01-01T00:00:00.000Z';
      store.insert(
        freshLoop({ sessionName: `s${n}`, taskDir: `/tasks/${n}`, startedAt, runId: `r${n}` }),
        Date.parse(startedAt),
      );
    }
    database.close();
    this.sound = readFileSync(this.file);
  }

  /** Opens it as a daemon does; returns what is there. */
  open(): { events: number; loops: number; failed: number } {
    const database = openDatabase(this.path);
    try {
      const log = new EventLog({ database, clock: systemClock, retention: KEEP });
      const loops = new AutoStore(database).load();
      return {
        events: log.read(0, 1_000).length,
        loops: loops.length,
        failed: loops.filter(({ state }) => state.status === 'failed').length,
      };
    } finally {
      database.close();
    }
  }

  /** Removes what an opening left next to the file. */
  forget(): void {
    for (const name of readdirSync(this.path)) {
      if (name !== DATABASE_FILE) rmSync(join(this.path, name));
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

function flip(bytes: Buffer, random: Random): number {
  const place = random.int(0, bytes.length - 1);
  bytes[place] = (bytes[place] ?? 0) ^ (1 << random.int(0, 7));
  return place;
}
