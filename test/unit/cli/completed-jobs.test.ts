import { expect, it } from 'vitest';
import { CompletedJobs } from '../../../server/control/completed-jobs.ts';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import type { TaskStatus } from '../../../shared/schema/tasks/task-status.ts';
import { EventHome, sampleEvent } from '../../support/events/event-home.ts';
import { until } from '../../support/house/until.ts';

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

function runDone(status: 'done' | 'failed'): EventDraft {
  const spent = { iteration: 0, active_seconds: 1, cost_usd: 0, commit: null };
  return { type: 'run.done', data: { run: 'r1', status, reason: null, proof: null, ...spent } };
}

it('CS16 counts tasks and runs that become COMPLETED from now on, among any other events', async () => {
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
      runDone('done'),
      runDone('failed'),
    ]) {
      append(draft);
    }
  });
  await until('all three are counted', () => jobs.count === 3);
  jobs.dispose();
  log.write((append) => append(completed));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(jobs.count).toBe(3);
});
