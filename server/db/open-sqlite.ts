/**
 * SQLite with its native part: the one that npm installed for this machine, else the one that the
 * package carries for the platform and Node version it was packed on.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { messageOf } from '../lib/app-error.ts';
import { ConfigError } from '../lib/config/config.ts';
import { packageRoot } from '../lib/package-root.ts';

const load = createRequire(import.meta.url);

let binding: object | null = null;

/** Throws a ConfigError where there is no native part for this machine, and SQLite's own errors. */
export function openSqlite(file: string, options: Sqlite.Options = {}): Sqlite.Database {
  binding ??= firstThatLoads([installed, shipped]);
  // The types know only its path.
  const native: Record<string, unknown> = { nativeBinding: binding };
  return new Sqlite(file, Object.assign(native, options));
}

/** Tries each in order. Throws a ConfigError with the reason of each that failed. */
export function firstThatLoads(places: readonly (() => string)[]): object {
  const reasons: string[] = [];
  for (const place of places) {
    try {
      return load(place()) as object;
    } catch (error) {
      reasons.push(messageOf(error).split('\n')[0] ?? '');
    }
  }
  throw new ConfigError(
    `SQLite cannot be loaded on ${machine()} (Node ${process.version}): ${reasons.join('; ')}. ` +
      'Install it with: npm install better-sqlite3@12 (needs access to github.com, or a C++ compiler and the headers of Node)',
  );
}

function installed(): string {
  const root = dirname(load.resolve('better-sqlite3/package.json'));
  return join(root, 'build/Release/better_sqlite3.node');
}

function shipped(): string {
  return join(packageRoot(), `dist/native/better-sqlite3-${machine()}.node`);
}

/** As `npm run build:native` names it: the last part is the version of Node's binary interface. */
function machine(): string {
  return `${process.platform}-${process.arch}-${process.versions.modules}`;
}
