/** Runs of files: stored elsewhere, adopted, refused; and the places that they share with tasks. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCheckpoint } from '../../../server/checkpoints/load-checkpoint.ts';
import { RunHome } from '../../support/runs/run-home.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { World } from '../../support/daemon/world.ts';

const ID = 'from-elsewhere';

/** A checkpoint as another machine wrote it: planned, executing, one event not delivered. */
function store(world: World, more: object, id = ID): string {
  const directory = join(world.home, 'sessions', id);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const at = new Date().toISOString();
  const checkpoint = {
    version: 1,
    session_id: id,
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
  return id;
}

async function home(world: World): Promise<RunHome> {
  const { api } = await world.start();
  return new RunHome(world, api);
}

it('RN12 G-36 a stored session is listed and resumed: its plan, its phase, what was not delivered', async () => {
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

it('RN35 RN36 a stored session keeps its limits, what it used, and fields of other programs', async () => {
  await using world = new World();
  const runs = await home(world);
  const limits = {
    max_fix_rounds: 2,
    max_minutes: 10,
    max_tokens: 5_000,
    phases: { fix: { max_minutes: 3 } },
    // Not a limit: a file never says what may run.
    test_commands: ['touch /tmp/never'],
    permission_mode: 'bypassPermissions',
  };
  const usage = { output_tokens: 40, active_seconds: 300, limits };
  store(world, { working_dir: runs.repository, usage, acp_cursor: 7 });
  expect((await runs.post(ID, 'resume')).status).toBe(200);
  const run = await runs.until(ID, 'done');
  expect(run).toMatchObject({ limits_from: 'checkpoint', max_fix_rounds: 2 });
  const { max_minutes, max_tokens, max_cost_usd, phases, test_commands } = run.options;
  expect({ max_minutes, max_tokens, max_cost_usd, phases, test_commands }).toEqual({
    max_minutes: 10,
    max_tokens: 5_000,
    max_cost_usd: null,
    phases: { fix: { max_minutes: 3 } },
    test_commands: undefined,
  });
  expect(run.options.permission_mode).not.toBe('bypassPermissions');
  expect(run.active_seconds).toBeGreaterThanOrEqual(300);
  const saved = loadCheckpoint(world.home, ID);
  expect(saved['acp_cursor']).toBe(7);
  expect(saved.usage['limits']).toMatchObject({ max_minutes: 10, max_tokens: 5_000 });
});

it('RN12 the plan and the report of a stored session are read before it is resumed', async () => {
  await using world = new World();
  const runs = await home(world);
  store(world, { working_dir: runs.repository });
  const read = async (part: string) => (await runs.api.get(`/api/runs/${ID}/${part}`)).body;
  expect(await read('plan')).toMatchObject({ text: '- [ ] Greet', awaits_review: false });
  expect((await read('report')).error?.code).toBe('no_report');
  writeFileSync(join(world.home, 'sessions', ID, 'report.md'), '# Report', { mode: 0o600 });
  expect((await runs.get(ID)).has_report).toBe(true);
  expect((await read('report'))['text']).toBe('# Report');
  expect((await runs.api.get('/api/runs/ghost/plan')).status).toBe(404);
});

it('RN35 B4-7 a session that used up its time is not resumed; one without limits gets the defaults', async () => {
  await using world = new World();
  const runs = await home(world);
  const usage = { active_seconds: 660, limits: { max_minutes: 10 } };
  store(world, { working_dir: runs.repository, usage });
  const refused = await runs.post(ID, 'resume');
  expect([refused.status, refused.body.error?.message]).toEqual([
    409,
    expect.stringContaining('timeout'),
  ]);
  expect((await runs.post(ID, 'resume', { add_minutes: 5 })).status).toBe(200);
  expect((await runs.until(ID, 'done')).options.max_minutes).toBe(16);
  const bare = store(world, { working_dir: runs.repository, usage: { limits: 'many' } }, 'bare');
  expect((await runs.get(bare)).limits_from).toBe('default');
  const shown = await world.cli('run', 'show', bare);
  expect(shown.stdout).toMatch(/limits {2}at most 6 fix rounds, 12\S* of work \(the defaults/);
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
