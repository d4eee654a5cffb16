/** The daemon's log: JSON lines in the home. Never on stdout, which is for the one start line. */
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import { RotatingFile } from './files/rotating-file.ts';

/** The current file; rotated ones have a number behind its name. */
export function logFile(home: string): string {
  return join(home, 'log', 'daemon.log');
}

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Never throws, not even on a full disk. Keys that name a secret are removed. */
export function openLog(
  { home, logBytes, logFiles }: Pick<Config, 'home' | 'logBytes' | 'logFiles'>,
  clock: Clock,
): { log: Log; close: () => void } {
  const sink = new RotatingFile({
    path: logFile(home),
    maxBytes: logBytes,
    keep: logFiles,
    lostLine: (lost) =>
      `${JSON.stringify({ level: 40, time: clock.now(), lost, msg: 'log lines were lost because the log could not be written' })}\n`,
  });
  const redact = { paths: ['token', '*.token', 'authorization', '*.authorization'], remove: true };
  const timestamp = () => `,"time":${clock.now()}`;
  return { log: pino({ redact, base: null, timestamp }, sink), close: () => sink.close() };
}
