/** How a test of the host stands. */
import type { Mark, Tone } from '$lib/ui/tone.ts';
import type { TestCase } from '$shared/tasks/task.ts';

export const TEST_LOOK: Record<TestCase['status'], { label: string; tone: Tone; mark: Mark }> = {
  pending: { label: 'Pending', tone: 'idle', mark: 'ring' },
  passed: { label: 'Passed', tone: 'good', mark: 'tick' },
  failed: { label: 'Failed', tone: 'fail', mark: 'cross' },
  skipped: { label: 'Skipped', tone: 'idle', mark: 'dash' },
};
