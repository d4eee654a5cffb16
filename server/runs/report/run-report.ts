/** The report of a run, in Markdown. Pure. */
import { reasonText } from '../../../shared/words/reason-text.ts';
import { PHASE_TEXT, runStatusText, runNextStep } from '../../../shared/words/work/run-text.ts';
import type { Run } from '../../../shared/schema/runs/run.ts';
import { codeBlock, codeSpan, inlineText } from '../../lib/markdown-text.ts';
import { whatIsLeft } from './report-left.ts';
import { costText, minuteText, timeText } from './report-spent.ts';
import { changesText, checksText, planText, reviewText, roundsText } from './report-work.ts';
import type { RunFacts } from './run-facts.ts';

const PROOF_TEXT = {
  proven: 'The host’s checks passed.',
  unproven: 'There were no checks: nothing but the reviewer’s word proves it.',
  refuted: 'The host’s checks failed.',
} as const;

/** Times are UTC to the minute. Text of people, agents and programs stays text. */
export function runReport(facts: RunFacts): string {
  const { run } = facts;
  const sections: [title: string, text: string][] = [
    ['Outcome', outcome(run)],
    ['Asked', codeBlock(run.prompt)],
    ['Left to do', whatIsLeft(facts)],
    ['Plan', planText(facts)],
    ['Changes', changesText(facts.diff)],
    ['Checks', checksText(facts.checks)],
    ['Review', reviewText(run)],
    ['Rounds', roundsText(run)],
    ['Cost', costText(run)],
    ['Time', timeText(run)],
  ];
  const texts = sections.map(([title, text]) => `## ${title}\n\n${text}`);
  return `${[`# Run ${run.id}: ${inlineText(run.title)}`, ...texts].join('\n\n')}\n`;
}

function outcome(run: Run): string {
  const { status, phase, reason, error, proof, branch, base } = run;
  const where = status === 'done' || phase === 'complete' ? '' : ` in ${PHASE_TEXT[phase].label}`;
  // `Done: Completed` would say it twice.
  const why = reason === null || reason === 'completed' ? '' : `: ${reasonText(reason).label}`;
  const words = [
    `**${runStatusText(status).label}${where}${why}.**`,
    proof === null ? '' : PROOF_TEXT[proof],
    error === null ? '' : `Error: ${codeSpan(error, 1_000)}.`,
    `Next: ${nextStep(run)}`,
  ];
  const from = base === null ? '' : `, from ${codeSpan(base)}`;
  const facts = [
    `Directory: ${codeSpan(run.worktree_path ?? run.working_dir, 4_096)}`,
    branch === null ? '' : `Branch: ${codeSpan(branch)}${from}`,
    `Fix rounds: ${run.iteration} of at most ${run.max_fix_rounds}`,
    `Started: ${minuteText(run.started_at)}${run.created_by === null ? '' : ` by ${inlineText(run.created_by)}`}`,
    run.completed_at === null ? '' : `Ended: ${minuteText(run.completed_at)}`,
  ];
  return [
    words.filter(Boolean).join(' '),
    facts
      .filter(Boolean)
      .map((fact) => `- ${fact}`)
      .join('\n'),
  ].join('\n\n');
}

function nextStep({ status, reason, branch, merged_into, not_merged }: Run): string {
  if (not_merged !== null) return `It was not merged: ${codeSpan(not_merged, 1_000)}.`;
  if (merged_into !== null) return `Nothing to do: it is merged into ${codeSpan(merged_into)}.`;
  if (status === 'done') {
    return branch === null ? 'Review the changes.' : 'Review the changes, then merge the branch.';
  }
  return reason === null ? 'Read the error, then resume the run.' : runNextStep(reason);
}
