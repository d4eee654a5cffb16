/** The daemon's log: JSON lines in the home, never on stdout, which belongs to the one start line. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { destination, type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Takes the home; gives the log and its close. Secrets never reach it: keys that name one are cut. */
export function openLog(home: string): { log: Log; close: () => void } {
  const directory = join(home, 'log');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const sink = destination({ dest: join(directory, 'daemon.log'), sync: true, mode: 0o600 });
  const redact = { paths: ['token', '*.token', 'authorization', '*.authorization'], remove: true };
  return { log: pino({ redact, base: null }, sink), close: () => sink.end() };
}
