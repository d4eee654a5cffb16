/** A run as a few lines that are redrawn while it works. Pure. */
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import { WORK_PHASES } from '../../../shared/rules/work/run-phases.ts';
import type { WorkPhase } from '../../../shared/schema/runs/run-phase.ts';
import type { Run, RunCheck } from '../../../shared/schema/runs/run.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { PHASE_TEXT, runStatusText, runDoing } from '../../../shared/words/work/run-text.ts';
import { cutCells } from '../print/table.ts';
import { runHints, whyText } from './print-run.ts';

const MAX_LINE = 300;

type Mark = '✓' | '✗' | '●' | '■' | '·';
const COLOURS: Record<Mark, number> = { '✓': 32, '✗': 31, '●': 36, '■': 33, '·': 2 };

export interface Progress {
  run: Run;
  /** When `run` was read. */
  readAtMs: number;
  /** The tool the agent called last, in this phase. */
  tool: string | null;
  /** The last result of each check, by its name. */
  checks: ReadonlyMap<string, RunCheck['status']>;
  /** Why what is shown may be old; null when it is not. */
  away: string | null;
}

/** Lines narrower than `columns`, with colours around the marks if wanted. */
export function progressLines(
  progress: Progress,
  { columns, nowMs, hasColour }: { columns: number; nowMs: number; hasColour: boolean },
): string[] {
  const { run, away } = progress;
  const lines = [
    `${run.id}  ${oneLine(run.title, MAX_LINE)}`,
    ...WORK_PHASES.map((phase) => phaseLine(progress, phase)),
    ...checksLine(progress),
    `  ${standing(progress, nowMs)}`,
    ...runHints(run).map((hint) => `  ${hint}`),
    ...(away === null ? [] : [`  ${away}`]),
  ];
  const cut = lines.map((line) => cutCells(line, columns - 1));
  return hasColour ? cut.map(coloured) : cut;
}

function phaseLine({ run, tool }: Progress, phase: WorkPhase): string {
  const { label } = PHASE_TEXT[phase];
  const { seconds, cost_usd, turns } = run.spent[phase];
  const mark = markOf(run, phase);
  const round = phase === 'fix' ? `${run.iteration} of ${run.max_fix_rounds}` : '';
  const spent =
    turns === 0 && seconds === 0 ? '' : `${formatDuration(seconds)} ${dollars(cost_usd)}`;
  const doing = mark === '●' && tool !== null ? oneLine(tool, MAX_LINE) : '';
  const parts = [label.padEnd(7), round, spent, doing].filter((part) => part !== '');
  return `  ${mark} ${parts.join('  ')}`.trimEnd();
}

function markOf({ phase: current, status, spent }: Run, phase: WorkPhase): Mark {
  const isVisited = spent[phase].turns > 0 || spent[phase].seconds > 0;
  if (current === phase && status === 'failed') return '✗';
  if (current === phase && status === 'stopped') return '■';
  if (current === phase && status !== 'done') return '●';
  if (!isVisited) return '·';
  // The fix is there because the review failed.
  return phase === 'review' && current === 'fix' ? '✗' : '✓';
}

function checksLine({ checks }: Progress): string[] {
  if (checks.size === 0) return [];
  const marks = { passed: '✓', failed: '✗', pending: '●', skipped: '·' } as const;
  const words = [...checks].map(([name, status]) => `${marks[status]} ${oneLine(name, MAX_LINE)}`);
  return [`  Checks  ${words.join('  ')}`];
}

function standing({ run, readAtMs }: Progress, nowMs: number): string {
  const { status, stage, phase, active_seconds, cost_usd, output_tokens } = run;
  const isWorking = status === 'running';
  const since = isWorking ? Math.max(0, nowMs - readAtMs) / 1000 : 0;
  const doing = isWorking ? runDoing(phase, stage) : runStatusText(status).label;
  const used = [
    formatDuration(active_seconds + since),
    dollars(cost_usd),
    `${output_tokens} tokens`,
  ];
  return `${doing}${whyText(run)} · ${used.join(' · ')}`;
}

function dollars(sum: number): string {
  return `$${sum.toFixed(2)}`;
}

/** `mark` is the first thing on its line, or stands before the name of a check. */
function coloured(line: string): string {
  return line.replaceAll(/(?<= )[✓✗●■·](?= )/g, (mark) => {
    return `\x1b[${COLOURS[mark as Mark]}m${mark}\x1b[0m`;
  });
}
