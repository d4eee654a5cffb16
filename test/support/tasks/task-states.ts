/** A task in each status, created once for tests that need all of them. */
import type { TaskStatus } from '../../../shared/schema/tasks/task-status.ts';
import { atWork } from './task-examples.ts';
import type { TaskHome } from './task-home.ts';

export const DONE = 'say The implementation is complete.';
export const STEP = 'say One step is done.';
/** Only a person can answer it. */
const QUESTION = 'ask Which database password should I use?';

const STEPS: Record<Exclude<TaskStatus, 'PENDING'>, [steps: string[], more: object]> = {
  RUNNING: [['hang'], {}],
  PAUSED: [[QUESTION], {}],
  STOPPED: [['hang'], {}],
  TESTING: [['write a.txt a', DONE], { test_commands: ['sleep 3600'] }],
  COMPLETED: [['write a.txt a', DONE], { test_commands: ['true'] }],
  FAILED: [['write a.txt a', DONE], { test_commands: ['false'] }],
  EXHAUSTED: [['write a.txt a', STEP], { max_iterations: 1 }],
};

/** The name of a new task in that status. `prefix` distinguishes it from others. */
export async function taskIn(home: TaskHome, status: TaskStatus, prefix = ''): Promise<string> {
  const name = `${prefix}${status.toLowerCase()}`;
  if (status === 'PENDING') {
    await home.create(name);
    return name;
  }
  const [steps, more] = STEPS[status];
  await home.run(name, steps, more);
  if (status === 'RUNNING' || status === 'STOPPED') await atWork(home, name);
  if (status === 'STOPPED') await home.post(name, 'stop');
  await home.until(name, status);
  return name;
}
