/** `loopwatch task wait`: how it ends, and which states it waits through. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { FakeDaemon } from '../../support/daemon/fake-daemon.ts';
import { taskFixture } from '../../support/tasks/task-fixture.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const TASK = '/api/v1/tasks/by-name/fix-login';
const AT = '2026-01-01T10:00:00.000Z';
function status(word: string, more: object = {}) {
  const { test_cases, interactions, ...view } = taskFixture();
  const counted = { test_summary: { total: 0, passed: 0, failed: 0, pending: 0 } };
  const words = { progress: null, latest_claude_response: null };
  return { ...view, status: word, ...counted, ...words, ...more };
}

it('CL14 wait ends with the code of the end, or when a person is needed', async () => {
  await using world = new World();
  await using daemon = await FakeDaemon.open(world.home);
  const words = ['RUNNING', 'TESTING', 'COMPLETED'];
  daemon.on(`GET ${TASK}/status`, () => status(words.shift() ?? 'COMPLETED'));
  const done = await world.cli('task', 'wait', 'fix-login');
  expect([done.code, done.stdout]).toEqual([0, 'fix-login completed\n']);
  for (const [word, code] of [
    ['FAILED', 10],
    ['EXHAUSTED', 11],
    ['STOPPED', 12],
  ] as const) {
    daemon.on(`GET ${TASK}/status`, status(word));
    const ended = await world.cli('task', 'wait', 'fix-login', '--json');
    expect([word, ended.code]).toEqual([word, code]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: word });
  }
  const item = {
    id: 'a',
    session: null,
    task: 'fix-login',
    reason: 'question',
    title: 'Which?',
    detail: null,
    request: null,
    raised_at: AT,
    cleared_at: null,
    outcome: null,
    by: null,
    answer: null,
  };
  let polls = 0;
  daemon
    .on(`GET ${TASK}/status`, status('PAUSED', { reason: 'quota' }))
    .on('GET /api/attention', () => {
      polls += 1;
      // First another task, which this command does not wait for.
      return { items: [polls === 1 ? { ...item, task: 'other' } : item], open: 1 };
    });
  const asked = await world.cli('task', 'wait', 'fix-login');
  expect([asked.code, asked.stderr]).toEqual([
    13,
    'loopwatch: fix-login needs attention: Question: Which? – Send the task the answer.\n',
  ]);
  expect(polls).toBe(2);
  expect((await world.cli('task', 'wait', 'nowhere')).code).toBe(4);
});

it('CL26 wait continues through a restart of the daemon', async () => {
  await using world = new World();
  const before = await FakeDaemon.open(world.home);
  before.on(`GET ${TASK}/status`, status('RUNNING'));
  const child = world.run(['task', 'wait', 'fix-login']);
  let shown = '';
  child.stdout?.on('data', (data: Buffer) => (shown += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (shown += data.toString()));
  const ended = once(child, 'close');
  await until('it has looked', () => before.lines.length > 0);
  await before[Symbol.asyncDispose]();
  await until('it says that it waits', () => shown.includes('the daemon does not answer'));
  await using after = await FakeDaemon.open(world.home);
  after.on(`GET ${TASK}/status`, status('COMPLETED', { summary: 'all done' }));
  expect(await ended).toEqual([0, null]);
  expect(shown).toBe(
    'loopwatch: the daemon does not answer; waiting for it\nfix-login completed: all done\n',
  );
});
