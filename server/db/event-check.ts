/**
 * A program of its own that checks the events of the database file it is given, while the daemon
 * already uses it. Prints what is wrong, or nothing.
 */
import { setPriority } from 'node:os';
import { damageOf, EVENTS } from './database.ts';
import { openSqlite } from './open-sqlite.ts';

// The daemon and its agents come first.
setPriority(10);

const raw = openSqlite(process.argv[2] ?? '', { readonly: true, fileMustExist: true });
process.stdout.write(damageOf(raw, EVENTS) ?? '');
raw.close();
