/** Past and current loops as a table for a person. */
import { formatDuration } from '../../../shared/words/format-duration.ts';
import type { PastLoop } from '../../../shared/schema/loops/past-loop.ts';
import {
  loopLength,
  loopOutcomeText,
  SHARE_TEXT,
  SHARES,
} from '../../../shared/words/work/loop-text.ts';
import { plainText } from '../../../shared/rules/text/plain-text.ts';
import { tableLines, terminalWidth } from './table.ts';
import type { TimeText } from './time-text.ts';

/** Below this width of a terminal only the first columns are shown. */
const WIDE = 140;
const SHORT_COLUMNS = 5;
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

export function pastLoopLines(runs: readonly PastLoop[], time: TimeText): string[] {
  const isNarrow = (terminalWidth() ?? Infinity) < WIDE;
  const shown = (row: readonly string[]) => (isNarrow ? row.slice(0, SHORT_COLUMNS) : row);
  const rows = runs.map((run) => shown(cells(run, time)));
  const table = tableLines(shown(HEAD), rows);
  const isCut = runs.some(({ complete }) => !complete);
  return isCut ? [...table, '* started before the log begins'] : table;
}

/** Its length, and where the time went. */
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
