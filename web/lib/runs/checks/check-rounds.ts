/** The rounds of a run: what the host checked, then what the reviewer said. Pure. */
import type { BadgeStyle } from '$lib/ui/tone.ts';
import type { RunCheck, RunRound } from '$shared/schema/runs/run.ts';

export interface CheckRound {
  iteration: number;
  /** What was checked: the work of the execution, or of a fix. */
  label: string;
  /** Null while the run has not reported it. */
  round: RunRound | null;
  checks: readonly RunCheck[];
}

/** Newest first; also rounds of which only checks are known. */
export function checkRounds(
  rounds: readonly RunRound[],
  checks: readonly RunCheck[],
): CheckRound[] {
  const iterations = new Set([...rounds, ...checks].map(({ iteration }) => iteration));
  return [...iterations]
    .sort((a, b) => b - a)
    .map((iteration) => ({
      iteration,
      label: roundLabel(iteration),
      // A review that comes again for the same work replaces the earlier one.
      round: rounds.findLast((round) => round.iteration === iteration) ?? null,
      checks: checks.filter((check) => check.iteration === iteration),
    }));
}

/** The rounds whose exact work is known, so that it can be compared; oldest first. */
export function diffRounds(rounds: readonly RunRound[]): number[] {
  const known = rounds.filter(({ commit }) => commit !== null);
  return [...new Set(known.map(({ iteration }) => iteration))];
}

/** "First review", then "Review after fix 2". */
function roundLabel(iteration: number): string {
  return iteration === 0 ? 'First review' : `Review after fix ${iteration}`;
}

/** The host's checks come first; the reviewer is asked only when they passed. */
export function roundBadge({ round, checks }: CheckRound): BadgeStyle {
  const isFailed = checks.some(({ status }) => status === 'failed');
  if (round?.checks === 'tests_failed' || round?.checks === 'gate_failed' || isFailed) {
    return { label: 'Checks failed', tone: 'fail', mark: 'cross' };
  }
  switch (round?.verdict) {
    case 'pass':
      return { label: 'Passed', tone: 'good', mark: 'tick' };
    case 'fail':
      return { label: 'Reviewer found problems', tone: 'fail', mark: 'cross' };
    case 'unclear':
      return { label: 'No clear verdict', tone: 'wait', mark: 'dash' };
    default:
      return { label: 'In progress', tone: 'work', mark: 'half' };
  }
}
