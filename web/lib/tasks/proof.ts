/** How it is known that a task is done: what was said is never shown as what was seen. Pure. */
import type { BadgeStyle } from '$lib/ui/tone.ts';
import type { Task, TestCase } from '$shared/schema/tasks/task.ts';
import { count } from './amounts.ts';

type Subject = Pick<Task, 'completion' | 'test_cases'>;

/** Takes a task; gives its mark, or null as long as nobody said that it is done. */
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

/** Takes a task that has ended; gives what it rests on and what to do, or null where its reason says it. */
export function endText({
  completion,
  status,
}: Pick<Task, 'completion' | 'status'>): string | null {
  if (status !== 'COMPLETED' || completion?.proof !== 'proven') return null;
  return 'All host checks passed. Review the diff, then merge the branch.';
}

/** A list does not carry the tests. */
function byTests(tests: readonly TestCase[]): string {
  const passed = tests.filter(({ status }) => status === 'passed').length;
  return passed === 0 ? '' : ` by ${count(passed, 'test')}`;
}
