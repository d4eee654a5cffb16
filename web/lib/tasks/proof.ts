/** The proof that a task is done: a claim is never shown as verified. Pure. */
import type { BadgeStyle } from '$lib/ui/tone.ts';
import type { Task, TestCase } from '$shared/schema/tasks/task.ts';
import { count } from './amounts.ts';

type Subject = Pick<Task, 'completion' | 'test_cases'>;

/** Null until completion is claimed. */
export function proofMark({ completion, test_cases: tests }: Subject): BadgeStyle | null {
  if (completion === null) return null;
  switch (completion.proof) {
    case 'proven':
      return { label: `Verified${byTests(tests)}`, tone: 'good', mark: 'tick' };
    case 'refuted':
      return { label: 'Tests failed', tone: 'fail', mark: 'cross' };
    case 'unproven':
      return { label: 'Unverified', tone: 'wait', mark: 'ring' };
  }
}

/** For an ended task: the proof and what to do, or null when the reason already shows it. */
export function endText({
  completion,
  status,
}: Pick<Task, 'completion' | 'status'>): string | null {
  if (status !== 'COMPLETED' || completion?.proof !== 'proven') return null;
  return 'All host checks passed. Review the diff, then merge the branch.';
}

/** Lists do not include the tests. */
function byTests(tests: readonly TestCase[]): string {
  const passed = tests.filter(({ status }) => status === 'passed').length;
  return passed === 0 ? '' : ` by ${count(passed, 'test')}`;
}
