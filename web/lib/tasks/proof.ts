/** The proof that a task is done: a claim is never shown as verified. Pure. */
import type { BadgeStyle } from '$lib/ui/tone.ts';
import type { EndCriteria } from '$shared/schema/tasks/end-criteria.ts';
import type { Task, TestCase } from '$shared/schema/tasks/task.ts';
import { count } from '$lib/ui/text/amounts.ts';

type Subject = Pick<Task, 'completion' | 'test_cases'>;

/** Null until completion is claimed. */
export function proofMark({ completion, test_cases: tests }: Subject): BadgeStyle | null {
  if (completion === null) return null;
  const { proof } = completion;
  if (proof === 'proven') {
    return { label: `Verified${byChecks(tests)}`, tone: 'good', mark: 'tick' };
  }
  if (proof === 'refuted') return { label: 'Checks failed', tone: 'fail', mark: 'cross' };
  return { label: 'Unverified', tone: 'wait', mark: 'ring' };
}

/** For a completed task: what its proof rests on and what to do, or null when the reason says it. */
export function endText({
  completion,
  status,
  worktree_path: worktree,
}: Pick<Task, 'completion' | 'status' | 'worktree_path'>): string | null {
  if (status !== 'COMPLETED' || completion === null || completion.proof === 'refuted') return null;
  const next =
    worktree === null
      ? 'Review the files it changed in place.'
      : 'Review the diff, commit what is left in the worktree, then merge the branch.';
  if (completion.proof === 'proven') return `All host checks passed. ${next}`;
  const who =
    completion.claimed_by === 'criteria'
      ? 'A model judged its criteria to be met'
      : 'The agent says it is done';
  return `${who}. Unverified: there were no tests or gates for the host to run. ${next}`;
}

/** What the host runs before a task can complete; null for nothing. */
export function hostChecks({ gates, test_commands: commands }: EndCriteria): string | null {
  const tests =
    commands === null
      ? 'any tests of the project'
      : commands.length === 0
        ? null
        : count(commands.length, 'test command');
  const parts = [tests, gates.length === 0 ? null : count(gates.length, 'gate')].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? null : parts.join(' and ');
}

/** Lists do not include the tests. */
function byChecks(tests: readonly TestCase[]): string {
  const passed = tests.filter(({ status }) => status === 'passed').length;
  return passed === 0 ? '' : ` by ${count(passed, 'check')}`;
}
