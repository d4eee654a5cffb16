/** Runs of loops as a table for a person. */
import { formatDuration } from '../../../shared/words/format-duration.ts';
import type { PastLoop } from '../../../shared/schema/loops/past-loop.ts';
import {
  loopLength,
  loopOutcomeText,
  SHARE_TEXT,
  SHARES,
} from '../../../shared/words/loop-text.ts';
import { plainText } from '../../../shared/rules/plain-text.ts';
import type { TimeText } from './time-text.ts';

const HEAD = [
  'started',
  'session',
  'outcome',
  'iterations',
  'length',
  ...SHARES.map((share) => SHARE_TEXT[share]),
  'restarts',
  'recoveries',
  'task',
];

/** Takes runs; gives a table of them with a line of heads, and what is not known about them. */
export function pastLoopLines(runs: readonly PastLoop[], time: TimeText): string[] {
  if (runs.length === 0) return ['no loops in the log'];
  const rows = [HEAD, ...runs.map((run) => cells(run, time))];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const isCut = runs.some(({ complete }) => !complete);
  return isCut ? [...table, '* started before the log begins'] : table;
}

/** Takes a run; gives its length and what it went into, in words. */
export function loopTimes(run: PastLoop): string {
  const spent = SHARES.filter((share) => run.seconds[share] >= 1);
  const parts = spent.map((share) => `${formatDuration(run.seconds[share])} ${SHARE_TEXT[share]}`);
  return [formatDuration(loopLength(run)), ...(parts.length === 0 ? [] : [parts.join(', ')])].join(
    ': ',
  );
}

function cells(run: PastLoop, time: TimeText): string[] {
  return [
    `${time(run.started_at)}${run.complete ? '' : '*'}`,
    run.session,
    loopOutcomeText(run),
    String(run.iterations),
    formatDuration(loopLength(run)),
    ...SHARES.map((share) => formatDuration(run.seconds[share])),
    String(run.restart_count),
    String(run.recovery_count),
    run.task_dir === null ? '-' : plainText(run.task_dir),
  ];
}
