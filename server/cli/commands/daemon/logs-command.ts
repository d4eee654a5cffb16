/** `loopwatch logs`: the daemon's log, with or without a daemon. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { plainText } from '../../../../shared/rules/text/plain-text.ts';
import { readConfig } from '../../../lib/config/config.ts';
import { logFile } from '../../../lib/log.ts';
import { type Json, wholeNumber } from '../../command-parts.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { LogLines } from '../../log-lines.ts';
import { print, printed } from '../../print/print.ts';
import { timeIn, type TimeText, UTC_OPTION, type Zoned } from '../../print/time-text.ts';

const DEFAULT_LINES = 50;
const MAX_LINES = 100_000;
const POLL_EVERY_MS = 250;

/** Names of pino's levels. */
const LEVELS: Readonly<Record<number, string>> = { 30: 'info', 40: 'warn', 50: 'error' };

export function addLogsCommand(program: Command): void {
  program
    .command('logs')
    .option('-f, --follow', 'print new lines as they are written, until Ctrl-C')
    .option('--lines <n>', 'how many lines to begin with', wholeNumber(0, MAX_LINES), DEFAULT_LINES)
    .option('--json', 'output as JSON, one object per line')
    .addOption(UTC_OPTION)
    .action(logs);
}

interface LogOptions extends Zoned, Json {
  follow?: boolean;
  lines: number;
}

async function logs({ follow = false, lines: count, json, utc }: LogOptions): Promise<void> {
  const path = logFile(readConfig().home);
  const source = new LogLines(path);
  const last = source.last(count);
  if (last === null) {
    throw new CliError(ExitCode.notFound, `nothing has been logged yet; it will be at ${path}`);
  }
  const time = timeIn({ utc });
  const show = (lines: readonly string[]) =>
    print(json === true ? lines.map(plainText) : lines.map((line) => logText(line, time)));
  show(last);
  while (follow) {
    await printed();
    await sleep(POLL_EVERY_MS);
    show(source.next());
  }
}

/** A line of the log for a person: time, level, message, then what else it says. */
export function logText(line: string, time: TimeText): string {
  const entry = entryOf(line);
  if (entry === null) return plainText(line);
  const { time: at, level, msg, ...more } = entry;
  const moment = typeof at === 'number' ? time(new Date(at).toISOString()) : '';
  const rest = Object.entries(more).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const text = typeof msg === 'string' ? msg : '';
  const words = [moment, LEVELS[Number(level)] ?? '', text, ...rest];
  return plainText(
    words
      .filter((word) => word !== '')
      .join('  ')
      .replaceAll('\n', '\\n'),
  );
}

function entryOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
