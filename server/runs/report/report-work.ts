/** The parts of a report about the work: plan, changes, checks, review and rounds. Pure. */
import { tail } from '../../../shared/rules/text/plain-text.ts';
import type { Run, RunCheck, RunRound } from '../../../shared/schema/runs/run.ts';
import type { ChangedFile, WorkDiff } from '../../../shared/schema/tasks/project.ts';
import { countText } from '../../../shared/words/count-text.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { codeBlock, codeSpan, inlineText } from '../../lib/markdown-text.ts';
import { minuteText } from './report-spent.ts';
import { lastChecks, type RunFacts } from './run-facts.ts';

const MAX_LEVEL = 9;
/** Of each failed check, in characters. */
const OUTPUT_LENGTH = 4_000;

export function planText({ run, plan }: RunFacts): string {
  if (plan === null) return 'The run ended before it had one.';
  const edited = run.plan_edited ? ' A person edited it.' : '';
  const { items } = plan;
  if (items.length === 0) return `It has no items.${edited}\n\n${codeBlock(plan.text)}`;
  const done = items.filter((item) => item.done).length;
  let above = -1;
  const lines = items.map(({ text, level, done }) => {
    // Deeper by more than one would be code.
    above = Math.min(level, above + 1, MAX_LEVEL);
    return `${'  '.repeat(above)}- [${done ? 'x' : ' '}] ${inlineText(text)}`;
  });
  return `${done} of ${countText(items.length, 'item')} done.${edited}\n\n${lines.join('\n')}`;
}

export function changesText(diff: WorkDiff | null): string {
  if (diff === null) return 'Not known: there is no branch to compare, or it cannot be read.';
  const { files, base, cut } = diff;
  if (files.length === 0) return `None against ${codeSpan(base)}.`;
  const sum = (key: 'additions' | 'deletions') =>
    files.reduce((total, file) => total + (file[key] ?? 0), 0);
  const total = `${countText(files.length, 'file')} against ${codeSpan(base)}: +${sum('additions')} −${sum('deletions')}.`;
  const more = cut ? ' More changed than is listed or shown here.' : '';
  return `${total}${more}\n\n${files.map(fileLine).join('\n')}`;
}

function fileLine({ path, status, additions, deletions, dirty }: ChangedFile): string {
  const lines = additions === null ? 'binary' : `+${additions} −${deletions ?? 0}`;
  return `- ${status}: ${codeSpan(path, 4_096)} ${lines}${dirty ? ', not committed' : ''}`;
}

/** Those of the last round; the rounds name what failed before. */
export function checksText(checks: readonly RunCheck[]): string {
  const last = lastChecks(checks);
  if (last.length === 0) return 'The host ran none.';
  const failed = last.filter(({ status }) => status === 'failed');
  const outputs = failed.map(
    ({ name, output }) =>
      `The end of the output of ${codeSpan(name)}:\n\n${codeBlock(tail(output, OUTPUT_LENGTH))}`,
  );
  return [last.map(checkLine).join('\n'), ...outputs].join('\n\n');
}

function checkLine({ status, type, name, command, exit_code, duration_ms, commit }: RunCheck) {
  const facts = [
    `${type === 'gate' ? 'gate' : 'test'}${command === name ? '' : ` ${codeSpan(command, 1_000)}`}`,
    exit_code === null ? 'no exit code' : `exit code ${exit_code}`,
    duration_ms === null ? '' : formatDuration(duration_ms / 1000),
    commit === null ? 'without a commit' : `commit ${codeSpan(commit)}`,
  ];
  return `- ${status}: ${codeSpan(name)} (${facts.filter(Boolean).join(', ')})`;
}

/** The last word of the reviewer. */
export function reviewText({ rounds }: Run): string {
  const round = rounds.findLast(({ verdict }) => verdict !== null);
  if (round === undefined) return 'The reviewer gave no verdict.';
  const { iteration, verdict, commit, findings } = round;
  const what = commit === null ? '' : ` on commit ${codeSpan(commit)}`;
  const word = `In round ${iteration}${what}: **${verdict ?? ''}**.`;
  return findings.trim() === '' ? word : `${word}\n\n${codeBlock(findings)}`;
}

export function roundsText({ rounds }: Run): string {
  if (rounds.length === 0) return 'The work was never checked or reviewed.';
  return rounds.map(roundLine).join('\n');
}

const CHECKS_TEXT = {
  passed: 'checks passed',
  none: 'no checks',
  tests_failed: 'tests failed',
  gate_failed: 'a gate failed',
} as const;

function roundLine({ iteration, at, commit, changed, checks, detail, verdict }: RunRound): string {
  const facts = [
    minuteText(at),
    commit === null ? 'no commit' : `commit ${codeSpan(commit)}`,
    changed ? '' : 'nothing changed',
    checks === null ? 'checks did not end' : CHECKS_TEXT[checks],
    detail === '' ? '' : codeSpan(detail),
    verdict === null ? 'not reviewed' : `review: ${verdict}`,
  ];
  return `- Round ${iteration}: ${facts.filter(Boolean).join(', ')}`;
}
