/** Runs of files: stored elsewhere, adopted, refused; and the places that they share with tasks. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RunHome } from '../support/run-home.ts';
import { TaskHome } from '../support/task-home.ts';
import { World } from '../support/world.ts';

const ID = 'from-elsewhere';

/** A checkpoint as another machine wrote it: planned, executing, one event not delivered. */
function store(world: World, more: object): void {
  const directory = join(world.home, 'sessions', ID);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const at = new Date().toISOString();
  const checkpoint = {
    version: 1,
    session_id: ID,
    checkpoint_time: at,
    original_start_time: at,
    phase: 'execute',
    claude_events: [{ Text: 'I plan.' }, { Text: 'The plan.' }],
    claude_full_text: '- [ ] Greet',
    exec_events: [{ Text: 'First.' }, { Text: 'Second.' }],
    plan_cursor: 2,
    exec_cursor: 1,
    working_dir: '/nowhere',
    prompt: 'Greet by name.',
    force_stopped: true,
    force_stop_reason: 'lunch',
    ...more,
  };
  writeFileSync(join(directory, 'checkpoint.json'), JSON.stringify(checkpoint), { mode: 0o600 });
}

async function home(world: World): Promise<RunHome> {
  const { api } = await world.start();
  return new RunHome(world, api);
}

it('RN12 a stored session is listed and resumed: its plan, its phase, what was not delivered', async () => {
  await using world = new World();
  const runs = await home(world);
  store(world, { working_dir: runs.repository });
  const { body } = await runs.api.get('/api/runs');
  expect(body['runs']).toMatchObject([{ id: ID, status: 'stopped', phase: 'execute' }]);
  expect((await runs.post(ID, 'resume')).status).toBe(200);
  const run = await runs.until(ID, 'done');
  expect(run).toMatchObject({ prompt: 'Greet by name.', proof: 'unproven' });
  const events = await runs.api.events('&types=run.resumed,run.interaction');
  expect(events.find(({ type }) => type === 'run.resumed')?.data).toMatchObject({
    redelivered: { plan: 0, execute: 1, review: 0, fix: 0 },
  });
  const again = events.filter(({ type }) => type === 'run.interaction')[0];
  expect(again?.data).toMatchObject({ phase: 'execute', index: 1, preview: 'Second.' });
});

it('RN13 a resume says why not: unknown, no directory, stale, a limit', async () => {
  await using world = new World();
  const runs = await home(world);
  const resume = async (id: string, body = {}) => {
    const answer = await runs.post(id, 'resume', body);
    const { error } = answer.body;
    return [answer.status, error?.code, error?.message.split(':')[0]];
  };
  expect(await resume('ghost')).toEqual([404, 'run_unknown', 'Session not found']);
  const gone = world.taskDir('gone');
  store(world, { working_dir: gone });
  rmSync(gone, { recursive: true });
  expect(await resume(ID)).toEqual([409, 'run_directory_missing', 'Working directory not found']);
  const day = 24 * 60 * 60_000;
  const old = new Date(Date.now() - day - 60_000).toISOString();
  store(world, { working_dir: runs.repository, checkpoint_time: old });
  expect(await resume(ID)).toEqual([409, 'run_stale', 'Session is stale']);
  expect((await resume(ID, { force: true }))[0]).toBe(200);
  await runs.until(ID, 'done');
  const { id } = await runs.start(['in plan cost 2', 'in plan say - [ ] Greet'], {
    max_cost_usd: 1,
  });
  expect(await runs.until(id, 'failed')).toMatchObject({ reason: 'max_cost', phase: 'execute' });
  expect((await resume(id)).slice(0, 2)).toEqual([409, 'wrong_run_status']);
  expect((await resume(id, { add_cost_usd: 5 }))[0]).toBe(200);
  await runs.until(id, 'done');
});

it('RN14 runs and tasks share the slots, and a run says that it waits for one', async () => {
  await using world = new World({ LOOPWATCH_TASK_SLOTS: '1' });
  const runs = await home(world);
  const tasks = new TaskHome(world, runs.api, 'other');
  await tasks.run('busy', ['hang']);
  await tasks.until('busy', 'RUNNING');
  const { id } = await runs.start();
  expect(await runs.until(id, 'queued')).toMatchObject({ wait: { reason: 'concurrency' } });
  await tasks.post('busy', 'stop');
  await runs.until(id, 'done');
});
