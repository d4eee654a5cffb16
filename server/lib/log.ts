/** The daemon's log: JSON lines in the home, never on stdout, which belongs to the one start line. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Takes the home; gives the log and its close. Secrets never reach it: keys that name one are cut. */
export function openLog(home: string): { log: Log; close: () => void } {
  const directory = join(home, 'log');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = openSync(join(directory, 'daemon.log'), 'a', 0o600);
  const redact = { paths: ['token', '*.token', 'authorization', '*.authorization'], remove: true };
  const log = pino({ redact, base: null }, { write: lineWriter(file) });
  return { log, close: () => closeSync(file) };
}

/** A full disk ends no daemon: lines are dropped until one can be written, which then says so. */
function lineWriter(file: number): (line: string) => void {
  let dropped = 0;
  return (line) => {
    try {
      const gap =
        dropped === 0 ? '' : `{"level":40,"msg":"${dropped} lines could not be written"}\n`;
      writeSync(file, gap + line);
      dropped = 0;
    } catch {
      dropped += 1;
    }
  };
}
