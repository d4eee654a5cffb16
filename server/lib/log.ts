/** The daemon's log: JSON lines in the home, never on stdout, which belongs to the one start line. */
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { RotatingFile } from './rotating-file.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

/**
 * Takes the settings and the clock; gives the log and its close. Never throws, also not for a full
 * disk. Secrets never reach it: keys that name one are cut.
 */
export function openLog(
  { home, logBytes, logFiles }: Pick<Config, 'home' | 'logBytes' | 'logFiles'>,
  clock: Clock,
): { log: Log; close: () => void } {
  const sink = new RotatingFile({
    path: join(home, 'log', 'daemon.log'),
    maxBytes: logBytes,
    keep: logFiles,
    lostLine: (lost) =>
      `${JSON.stringify({ level: 40, time: clock.now(), lost, msg: 'log lines were lost because the log could not be written' })}\n`,
  });
  const redact = { paths: ['token', '*.token', 'authorization', '*.authorization'], remove: true };
  const timestamp = () => `,"time":${clock.now()}`;
  return { log: pino({ redact, base: null, timestamp }, sink), close: () => sink.close() };
}
