/** The parts of a report about cost and time. Pure. */
import { type PhaseSpend, type Run } from '../../../shared/schema/runs/run.ts';
import { WORK_PHASES } from '../../../shared/rules/work/run-phases.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { reasonText } from '../../../shared/words/reason-text.ts';
import { PHASE_TEXT } from '../../../shared/words/work/run-text.ts';
import { inlineText } from '../../lib/markdown-text.ts';

/** `2025-11-23T02:13Z`. */
export function minuteText(iso: string): string {
  return `${iso.slice(0, 16)}Z`;
}

const COLUMNS = ['Phase', 'Turns', 'Input tokens', 'Output tokens', 'Cost', 'Working time'];

export function costText({ spent }: Run): string {
  const total = { seconds: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0, turns: 0 };
  const rows = WORK_PHASES.map((phase) => {
    const spend = spent[phase];
    total.seconds += spend.seconds;
    total.input_tokens += spend.input_tokens;
    total.output_tokens += spend.output_tokens;
    total.cost_usd += spend.cost_usd;
    total.turns += spend.turns;
    return cells(PHASE_TEXT[phase].label, spend);
  });
  const head = [COLUMNS, COLUMNS.map((_, index) => (index === 0 ? '---' : '---:'))];
  const all = [...head, ...rows, cells('Total', total)];
  return all.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function cells(name: string, spend: PhaseSpend): string[] {
  const { turns, input_tokens, output_tokens, cost_usd, seconds } = spend;
  const counts = [turns, input_tokens, output_tokens].map(String);
  return [name, ...counts, `$${cost_usd.toFixed(2)}`, formatDuration(seconds)];
}

/** Working time, and everything else from start to end. */
export function timeText({
  started_at,
  completed_at,
  updated_at,
  active_seconds,
  wait,
}: Run): string {
  const end = completed_at ?? updated_at;
  const all = Math.max(0, (Date.parse(end) - Date.parse(started_at)) / 1000);
  const waited = Math.max(0, all - active_seconds);
  const text =
    `${formatDuration(all)} from ${minuteText(started_at)} to ${minuteText(end)}: ` +
    `${formatDuration(active_seconds)} of work, ${formatDuration(waited)} of waiting for a person, a reset, a slot or a resume.`;
  if (wait === null) return text;
  const until = wait.until === null ? '' : `, until ${minuteText(wait.until)}`;
  const label = reasonText(wait.reason).label;
  return `${text}\n\nWaiting since ${minuteText(wait.since)}${until}: ${label}. ${inlineText(wait.next)}`;
}
