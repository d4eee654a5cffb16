/**
 * A database without rows, migrated once for each process: in tests the migrations were a third of
 * what a daemon's start took.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, openDatabase } from '../../../server/db/database.ts';
import { TEST_ROOT } from '../house/test-root.ts';

const EMPTY = makeEmpty();

function makeEmpty(): Buffer {
  const home = join(TEST_ROOT, 'empty');
  mkdirSync(home);
  openDatabase(home).close();
  const bytes = readFileSync(join(home, DATABASE_FILE));
  rmSync(home, { recursive: true });
  return bytes;
}

/** A home as the first start leaves it, at a path where there is none or an empty directory. */
export function makeHome(home: string): void {
  mkdirSync(home, { mode: 0o700, recursive: true });
  writeFileSync(join(home, DATABASE_FILE), EMPTY, { mode: 0o600 });
}
