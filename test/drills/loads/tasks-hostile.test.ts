/** Clients that misbehave, a full disk, a destroyed record: no task hangs, none is lost. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { DATABASE_FILE } from '../../../server/db/database.ts';
import { agentsBelow } from '../../support/agents/agent-census.ts';
import { brokenPromises, type ReceivedText } from '../../support/events/received-text.ts';
import { git } from '../../support/git/git-repository.ts';
import { seeded, sized } from '../../support/house/random.ts';
import { SmallDisk } from '../../support/drills/small-disk.ts';
import { standInRuns } from '../../support/agents/stand-in-runs.ts';
import { keptInputs } from '../../support/tasks/task-drill.ts';
import { script, TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { leftProcesses } from '../../support/daemon/world-processes.ts';
import { World } from '../../support/daemon/world.ts';

const DONE = 'say The task is complete.';
const QUICK = { LOOPWATCH_ERROR_DELAYS_MS: '20,20,20', LOOPWATCH_SIGNAL_POLL_MS: '100' };
const ROUNDS = sized({ short: 3, middle: 12, long: 60 });
const VERBS = ['start', 'stop', 'resume', 'recover', 'clear-and-restart'];

it.each([
  ['a line of 5 MB', ['huge 5000000', DONE]],
  ['1 MB of errors', ['stderr 1000000', DONE]],
  ['a line that is cut', ['turn 1 cut', `turn 2 ${DONE}`]],
  ['a stay after the result', [DONE, 'hang-after-result']],
  ['a child in a session of its own', ['spawn', DONE]],
])('TF7 a task reaches its end with %s from its agent, and nothing is left', async (_, steps) => {
  await using world = new World(QUICK);
  const { daemon, api } = await world.start();
  const home = new TaskHome(world, api);
  await home.run('hostile', steps);
  const task = await home.until('hostile', 'COMPLETED');
  expect(task.completion?.claim).toBe('The task is complete.');
  expect(JSON.stringify(await home.conversation('hostile')).length).toBeLessThan(200_000);
  await daemon.close();
  expect(await leftProcesses(world)).toEqual([]);
});

it('TF7 an agent that ignores signals is killed when its task is stopped', async () => {
  await using world = new World(QUICK);
  const { daemon, api } = await world.start();
  const home = new TaskHome(world, api);
  await home.run('deaf', ['deaf', 'say I listen to nobody.', 'hang']);
  await until('it speaks', async () => (await home.get('deaf')).interaction_count > 0);
  const { status, body } = await home.post('deaf', 'stop');
  expect({ status, how: body['termination_method'] }).toEqual({ status: 200, how: 'SIGKILL' });
  expect(await home.get('deaf')).toMatchObject({ status: 'STOPPED', process_running: false });
  await daemon.close();
  expect(await leftProcesses(world)).toEqual([]);
});

it('TF13 a missing client fails the task, names the next step, and keeps its inputs', async () => {
  await using world = new World({ ...QUICK, LOOPWATCH_CLAUDE: '/nowhere/claude' });
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.run('nobody', [DONE]);
  const { id } = (await home.say('nobody', 'Is anybody there?')).body;
  const task = await home.until('nobody', 'FAILED');
  expect(task.reason).toBe('agent_not_started');
  expect(task.error_message).toMatch(/\/nowhere\/claude.*not found/);
  expect((await home.inputs('nobody')).queue_preview).toMatchObject([{ id, state: 'queued' }]);
  const { items } = (await api.get('/api/attention')).body as unknown as {
    items: { reason: string; next_step?: string }[];
  };
  expect(items).toMatchObject([{ reason: 'agent_not_started' }]);
});

it('TF8 while the disk is full, inputs are refused with 507; after that every task continues', async () => {
  await using world = new World(QUICK);
  using disk = new SmallDisk(world.home, 3_072);
  const daemon = await world.spawn();
  const home = new TaskHome(world, daemon.api);
  const waits = ['turn 1 wait 1500', 'turn 1 say One.', 'turn 2 wait 300', 'turn 2 say Two.'];
  await home.run('full', [...waits, `turn 6 ${DONE}`]);
  await until('its turn began', () => standInRuns(world).length === 1);
  disk.fill();
  const said: ReceivedText[] = [];
  await until('words are refused', async () => {
    const words = `The word is w${said.length}.`;
    const { status, body } = await home.say('full', words);
    const id = status === 200 ? String(body['id']) : null;
    said.push({ task: 'full', words, id, guaranteed: id !== null });
    if (status === 200) return false;
    expect({ status, code: body.error?.code }).toEqual({ status: 507, code: 'storage_full' });
    return true;
  });
  await until('its turn is over', () => agentsBelow(home.repository).length === 0);
  // Its output could not be stored.
  expect(await home.get('full')).toMatchObject({ status: 'RUNNING', iterations: 0 });
  disk.free();
  await home.until('full', 'COMPLETED');
  const inputs = keptInputs(world);
  await daemon.kill();
  expect(inputs.length).toBe(said.length - 1);
  expect(brokenPromises(said, inputs, standInRuns(world))).toEqual([]);
});

it('TF9 a task whose record is destroyed has failed, blocks nothing and can start again', async () => {
  await using world = new World(QUICK);
  const { daemon, api } = await world.start();
  const home = new TaskHome(world, api);
  await home.run('broken', ['hang']);
  await home.run('emptied', ['hang']);
  await home.run('sound', ['turn 1 wait 500', 'turn 1 say One.', `turn 2 ${DONE}`]);
  await until('all are at work', () => standInRuns(world).length === 3);
  await daemon.close();
  const database = new Sqlite(join(world.home, DATABASE_FILE));
  database.exec(`UPDATE tasks SET state = '{"status":"RUNN' WHERE task_name = 'broken'`);
  database.exec(`UPDATE tasks SET plan = '{}', state = '{}' WHERE task_name = 'emptied'`);
  database.close();
  home.api = (await world.start()).api;
  const failed = { status: 'FAILED', reason: 'corrupt_record', process_running: false };
  expect(await home.get('broken')).toMatchObject({ ...failed, description: script('hang') });
  expect(await home.get('emptied')).toMatchObject({ ...failed, root_folder: home.repository });
  await home.until('sound', 'COMPLETED');
  expect((await home.post('broken', 'clear-and-restart')).status).toBe(200);
  await home.until('broken', 'RUNNING');
  for (const name of ['broken', 'emptied', 'sound']) {
    expect((await home.api.send('DELETE', `/api/v1/tasks/by-name/${name}`)).status).toBe(200);
  }
  expect(git(home.repository, 'worktree', 'list').split('\n')).toHaveLength(1);
});

it('TF10 under concurrent requests for one task one agent works, and a delete leaves nothing', async () => {
  await seeded(async (random) => {
    await using world = new World(QUICK);
    const { daemon, api } = await world.start();
    const home = new TaskHome(world, api);
    for (let round = 0; round < ROUNDS; round += 1) {
      await home.run('much', ['hang']);
      const asked = Array.from({ length: 12 }, async () => {
        await new Promise((resolve) => setTimeout(resolve, random.int(0, 400)));
        return (await home.post('much', random.pick(VERBS))).status;
      });
      await new Promise((resolve) => setTimeout(resolve, random.int(0, 400)));
      const { status, body } = await api.send('DELETE', '/api/v1/tasks/by-name/much');
      expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
      const statuses = await Promise.all(asked);
      expect(statuses.filter((each) => ![200, 400, 404].includes(each))).toEqual([]);
      expect((await api.get('/api/v1/tasks/by-name/much')).status).toBe(404);
      expect(existsSync(join(home.repository, '.claude_worktrees', 'much'))).toBe(false);
      expect(git(home.repository, 'worktree', 'list').split('\n')).toHaveLength(1);
    }
    await daemon.close();
    expect(await leftProcesses(world)).toEqual([]);
  });
});
