/** Runs as lines for a person. What agents wrote is foreign text. */
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import { WORK_PHASES } from '../../../shared/rules/work/run-phases.ts';
import type { Run, RunSummary } from '../../../shared/schema/runs/run.ts';
import { countText } from '../../../shared/words/count-text.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { reasonText } from '../../../shared/words/reason-text.ts';
import {
  doneNextStep,
  PHASE_TEXT,
  runDoing,
  runNextStep,
} from '../../../shared/words/work/run-text.ts';
import { tableLines } from '../print/table.ts';
import type { TimeText } from '../print/time-text.ts';
import { PROOF_LABEL } from '../../../shared/words/work/report-text.ts';

const MAX_LINE = 200;
const MAX_TITLE = 60;
const HEAD = ['run', 'status', 'phase', 'why', 'cost', 'updated', 'title'];

const PROOF_TEXT = {
  proven: 'all tests and gates passed on this host',
  refuted: 'at least one test or gate failed',
  unproven: 'no tests or gates ran, so only the reviewer says that it is done',
} as const;

function proofText(proof: keyof typeof PROOF_TEXT): string {
  return `${PROOF_LABEL[proof].toLowerCase()}: ${PROOF_TEXT[proof]}`;
}

export function runTable(runs: readonly RunSummary[], time: TimeText): string[] {
  return tableLines(
    HEAD,
    runs.map((run) => [
      run.id,
      run.status,
      run.phase === 'fix' ? `fix ${run.iteration}` : run.phase,
      marksOf(run).join(', ') || '-',
      run.cost_usd === 0 ? '-' : `$${run.cost_usd.toFixed(2)}`,
      time(run.updated_at),
      oneLine(run.title, MAX_TITLE),
    ]),
  );
}

/** Where a run is, what it used, and what can be done now. */
export function runLines(run: Run, time: TimeText): string[] {
  return [
    `${run.id}  ${run.status}${whyText(run)}`,
    ...field('asked', run.prompt),
    ...field('in', placeText(run)),
    ...field('phase', phaseText(run)),
    ...field('used', usedText(run)),
    ...field('limits', run.limits_from === 'request' ? null : limitsText(run)),
    ...WORK_PHASES.flatMap((phase) => {
      const { turns, seconds, cost_usd } = run.spent[phase];
      if (turns === 0) return [];
      const spent = `${formatDuration(seconds)}, $${cost_usd.toFixed(2)}`;
      return field('', `${PHASE_TEXT[phase].label}: ${countText(turns, 'turn')}, ${spent}`);
    }),
    ...run.rounds.flatMap((round) => field('round', roundText(round))),
    ...field('proof', run.proof === null ? null : proofText(run.proof)),
    ...field('error', run.error),
    ...field('merged', run.merged_into),
    ...field('merge', run.not_merged === null ? null : `not merged: ${run.not_merged}`),
    ...field('since', `${time(run.started_at)}, saved ${time(run.updated_at)}`),
    ...field('next', run.reason === null ? null : nextText(run)),
    ...actionLines(run),
  ];
}

/** The reason of its status, and what keeps it from being resumed: `, Question, stale`. */
export function whyText(run: RunSummary): string {
  return marksOf(run)
    .map((mark) => `, ${mark}`)
    .join('');
}

/** What a person has to do for it to continue. */
export function runHints({ id, wait, status }: RunSummary): string[] {
  if (status !== 'waiting' || wait === null) return [];
  if (wait.reason !== 'plan_review') return [oneLine(wait.next, MAX_LINE)];
  return [
    `Read or change the plan: loopwatch run plan ${id} --edit`,
    `Then accept it: loopwatch run accept ${id}`,
  ];
}

function marksOf({ wait, reason, stale, valid }: RunSummary): string[] {
  // A wait says more than the reason of an earlier stop.
  const cause = wait?.reason ?? reason;
  return [
    ...(cause === null ? [] : [reasonText(cause).label]),
    ...(stale ? ['stale'] : []),
    ...(valid ? [] : ['directory missing']),
  ];
}

function field(name: string, text: string | null): string[] {
  return text === null || text === '' ? [] : [`  ${name.padEnd(6)}  ${oneLine(text, MAX_LINE)}`];
}

function placeText({ working_dir, worktree_path, branch }: Run): string {
  const on = branch === null ? '' : `, branch ${branch}`;
  return `${worktree_path ?? working_dir}${on}`;
}

function phaseText({ phase, stage, iteration, max_fix_rounds }: Run): string {
  return `${runDoing(phase, stage)}, ${iteration} of ${max_fix_rounds} fix rounds`;
}

function usedText({ active_seconds, cost_usd, output_tokens, options }: Run): string {
  const { max_minutes, max_cost_usd, max_tokens } = options;
  const minutes = max_minutes === null ? '' : ` of ${formatDuration(max_minutes * 60)}`;
  return [
    `${formatDuration(active_seconds)}${minutes} of work`,
    `$${cost_usd.toFixed(2)}${max_cost_usd === null ? '' : ` of $${max_cost_usd}`}`,
    `${output_tokens}${max_tokens === null ? '' : ` of ${max_tokens}`} output tokens`,
  ].join(', ');
}

/** The limits of a run that was taken from a checkpoint, and who named them. */
export function limitsText({ options, limits_from }: Run): string {
  const { max_fix_rounds, max_minutes, max_cost_usd, max_tokens } = options;
  const limits = [
    countText(max_fix_rounds, 'fix round'),
    max_minutes === null ? null : `${formatDuration(max_minutes * 60)} of work`,
    max_cost_usd === null ? null : `$${max_cost_usd}`,
    max_tokens === null ? null : `${max_tokens} output tokens`,
  ].filter((limit) => limit !== null);
  const from = limits_from === 'default' ? 'the defaults: its checkpoint names none' : 'as before';
  return `at most ${limits.join(', ')} (${from})`;
}

function roundText({
  iteration,
  checks,
  detail,
  verdict,
  findings,
}: Run['rounds'][number]): string {
  const host = checks === null ? 'checks run' : `checks ${checks.replace('_', ' ')}`;
  const word = verdict === null ? '' : `, review ${verdict}`;
  const about = detail === '' ? findings : detail;
  return `${iteration}: ${host}${word}${about === '' ? '' : `: ${about}`}`;
}

function nextText(run: Run): string | null {
  if (run.status === 'done') return doneNextStep(run);
  if (!run.valid) return `Working directory not found: ${run.working_dir}. Restore it first.`;
  return run.reason === null ? null : runNextStep(run.reason);
}

function actionLines({ id, actions, stale, has_plan, has_report, wait }: Run): string[] {
  const commands = [
    ...(actions.includes('stop') ? [`follow ${id}`, `stop ${id}`] : []),
    ...(actions.includes('resume') ? [`resume ${id}${stale ? ' --force' : ''}`] : []),
    ...(actions.includes('input') ? [`input ${id} TEXT`] : []),
    ...(has_plan ? [`plan ${id}${wait?.reason === 'plan_review' ? ' --edit' : ''}`] : []),
    ...(actions.includes('accept_plan') ? [`accept ${id}`] : []),
    ...(has_report ? [`report ${id}`, `diff ${id}`] : []),
    ...(actions.includes('merge') ? [`merge ${id} --into BRANCH`] : []),
    ...(actions.includes('delete') ? [`rm ${id}`] : []),
  ];
  if (commands.length === 0) return [];
  return ['  you can:', ...commands.map((command) => `    loopwatch run ${command}`)];
}
