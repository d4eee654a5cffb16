/** What a task does now, in a sentence. */
import { expect, it } from 'vitest';
import { freshTask } from '../../../server/tasks/machine/fresh-task.ts';
import type { TaskState } from '../../../server/tasks/machine/task-state.ts';
import type { TaskRecord } from '../../../server/tasks/stores/task-record.ts';
import { taskProgress } from '../../../server/tasks/task-standing.ts';

type StageAtWork = Extract<TaskState, { status: 'RUNNING' }>['stage'];

function progress(state: Partial<TaskState>): string | null {
  return taskProgress({ state: { ...freshTask(), ...state } } as TaskRecord);
}

it('TW7 a running task says whether its turn is prepared, its agent works, or its answer is checked', () => {
  const running = (stage: StageAtWork, iterations = 0) =>
    progress({ status: 'RUNNING', stage, iterations });
  expect([
    running('preparing'),
    running('talking'),
    running('judging', 1),
    running('measuring', 1),
    running('talking', 11),
  ]).toEqual([
    'Preparing its 1st turn.',
    'The agent is working on its 1st turn.',
    'Checking the last answer against the criteria.',
    'Reading what its last turn changed.',
    'The agent is working on its 12th turn.',
  ]);
});

it('TW7 a paused task says whether it needs a person', () => {
  const paused = (reason: TaskState['reason']) =>
    progress({ status: 'PAUSED', stage: 'waiting', reason });
  expect(paused('question')).toBe('Needs attention.');
  expect(paused('quota')).toBe('Waiting; resumes automatically.');
  expect(paused('budget')).toBe('Its budget is used up.');
});
