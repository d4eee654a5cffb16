/** A backup with tasks in every state, restored after their agents and worktrees have moved on. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentsBelow } from '../../support/agents/agent-census.ts';
import { standInRuns } from '../../support/agents/stand-in-runs.ts';
import { keptInputs } from '../../support/tasks/task-drill.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const WAITING_WORDS = 'Words that waited in the backup.';
const DONE = 'say The task is complete.';

it('TF11, KE25 tasks at work in a backup are stopped, nothing is sent twice, work is kept', async () => {
  await using world = new World({
    LOOPWATCH_TASK_SLOTS: '2',
    LOOPWATCH_TASK_INTERRUPTED: 'resume',
    LOOPWATCH_ERROR_DELAYS_MS: '20',
  });
  const first = await world.spawn();
  const home = new TaskHome(world, first.api);
  await home.run('completed', [`turn 1 ${DONE}`]);
  await home.until('completed', 'COMPLETED');
  await home.run('failed', ['turn 1 crash 3', 'turn 2 crash 3', 'turn 3 crash 3']);
  await home.until('failed', 'FAILED');
  await home.run('paused', ['ask Which database shall I delete?']);
  await home.until('paused', 'PAUSED');
  await home.create('fresh');
  await home.run('stopped', ['hang']);
  await until('it is at work', () => agentsBelow(home.repository).length === 1);
  await home.post('stopped', 'stop');
  await home.run('running', ['write dirty.txt In the middle.', 'hang']);
  await home.run('talking', ['hang']);
  await home.run('queued', ['hang']);
  const dirty = join(home.repository, '.claude_worktrees', 'running', 'dirty.txt');
  await until(
    'both are at work',
    () => existsSync(dirty) && agentsBelow(home.repository).length === 2,
  );
  expect((await home.say('running', WAITING_WORDS)).status).toBe(200);
  const file = join(world.root, 'backup.db');
  expect(await world.cli('backup', file)).toMatchObject({ code: 0, stderr: '' });

  // It is delivered after the backup, and a task is created that the backup does not contain.
  await home.post('talking', 'stop');
  await home.run('later', ['write later.txt Since the backup.', 'hang']);
  const later = join(home.repository, '.claude_worktrees', 'later', 'later.txt');
  await until('the queued one is at work', async () => (await home.get('queued')).process_running);
  await home.post('queued', 'stop');
  await until('the later one is at work', () => existsSync(later));
  expect((await home.say('running', 'Now.', { interrupt: true })).status).toBe(200);
  const heard = () => standInRuns(world).filter(({ message }) => message.includes(WAITING_WORDS));
  await until('it is heard', () => heard().length === 1);
  first.process.kill('SIGTERM');
  await until('the daemon ended', () => first.process.exitCode !== null);
  expect(await world.cli('restore', file)).toMatchObject({ code: 0, stderr: '' });
  home.api = (await world.spawn()).api;

  const statusOf = async (name: string) => {
    const { status, reason } = await home.get(name);
    return { name, status, reason };
  };
  const names = [
    'completed',
    'failed',
    'paused',
    'fresh',
    'stopped',
    'running',
    'talking',
    'queued',
  ];
  const restored = { status: 'STOPPED', reason: 'restored' };
  expect(await Promise.all(names.map(statusOf))).toMatchObject([
    { name: 'completed', status: 'COMPLETED' },
    { name: 'failed', status: 'FAILED' },
    { name: 'paused', ...restored },
    { name: 'fresh', status: 'PENDING' },
    { name: 'stopped', status: 'STOPPED', reason: 'user_stop' },
    { name: 'running', ...restored },
    { name: 'talking', ...restored },
    { name: 'queued', ...restored },
  ]);
  await until('no agent is left', () => agentsBelow(home.repository).length === 0);
  expect(keptInputs(world)).toMatchObject([{ text: WAITING_WORDS, state: 'unknown' }]);
  expect(readFileSync(dirty, 'utf8')).toBe('In the middle.\n');
  expect(readFileSync(later, 'utf8')).toBe('Since the backup.\n');

  // It continues in the worktree it had, and the input is not sent again.
  expect((await home.post('running', 'resume')).status).toBe(200);
  await home.until('running', 'COMPLETED');
  expect(heard()).toHaveLength(1);
  expect(readFileSync(dirty, 'utf8')).toBe('In the middle.\n');
});
