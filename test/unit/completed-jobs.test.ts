import { expect, it } from 'vitest';
import { CompletedJobs } from '../../server/control/completed-jobs.ts';
import type { EventDraft } from '../../shared/schema/events.ts';
import type { TaskStatus } from '../../shared/schema/tasks/task-status.ts';
import { EventHome, sampleEvent } from '../support/event-home.ts';
import { until } from '../support/until.ts';

function taskStatus(before: TaskStatus, status: TaskStatus): EventDraft {
  const data = {
    task: 'fix',
    status,
    before,
    reason: null,
    until: null,
    error: null,
  };
  return { type: 'task.status', data };
}

it('CS16 counts tasks that become COMPLETED from now on, among any other events', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const completed = taskStatus('TESTING', 'COMPLETED');
  log.write((append) => append(completed));
  const jobs = new CompletedJobs(log);
  log.write((append) => {
    for (let n = 0; n < 1_200; n += 1) append(sampleEvent(n));
    for (const draft of [
      completed,
      taskStatus('RUNNING', 'FAILED'),
      taskStatus('COMPLETED', 'COMPLETED'),
      taskStatus('COMPLETED', 'RUNNING'),
      completed,
    ]) {
      append(draft);
    }
  });
  await until('both are counted', () => jobs.count === 2);
  jobs.dispose();
  log.write((append) => append(completed));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(jobs.count).toBe(2);
});
