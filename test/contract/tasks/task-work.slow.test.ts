/** Copies, retries, stops and removals: the answers, and what remains of the work. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { git, gitRepository } from '../../support/git/git-repository.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { atWork } from '../../support/tasks/task-examples.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { DONE, STEP, taskIn } from '../../support/tasks/task-states.ts';
import { World } from '../../support/daemon/world.ts';

let world: World;
let home: TaskHome;

beforeAll(async () => {
  world = new World({ LOOPWATCH_TASK_SLOTS: '20', LOOPWATCH_KILL_GRACE_MS: '300' });
  home = new TaskHome(world, (await world.start()).api);
});

afterAll(async () => world[Symbol.asyncDispose]());

const path = (name: string) => `/api/v1/tasks/by-name/${name}`;

/** The files in the commit of a ref or branch. */
function filesOf(ref: string): string[] {
  return git(home.repository, 'ls-tree', '--name-only', ref).split('\n');
}

/** A stopped task with an uncommitted file. */
async function dirtyTask(name: string): Promise<string> {
  const task = await home.create(name);
  writeFileSync(join(task.worktree_path ?? '', 'unfinished.txt'), 'half\n');
  return task.worktree_path ?? '';
}

it('TW8 a copy has the description and limits, and a name, branch and worktree of its own', async () => {
  await home.create('first', {
    description: 'Greet twice.',
    end_criteria: 'it greets',
    max_iterations: 7,
    priority: 3,
    branch_name: 'feature/first',
    gates: [{ name: 'lint', command: 'true' }],
  });
  const clones = [];
  for (const query of ['', '', '', '?new_name=Other']) {
    const { status, body } = await home.post('first', `clone${query}`);
    expect(status).toBe(200);
    const task = body['task'] as Record<string, unknown>;
    expect(body).toMatchObject({ original_task: 'first', new_task_id: task['id'] });
    expect(task).toMatchObject({
      task_name: body['new_task'],
      status: 'PENDING',
      description: 'Greet twice.',
      priority: 3,
      branch_name: `task/${String(body['new_task'])}`,
      iterations: 0,
      end_criteria_config: { criteria: 'it greets', max_iterations: 7, gates: [{ name: 'lint' }] },
    });
    expect(existsSync(String(task['worktree_path']))).toBe(true);
    clones.push(body['new_task']);
  }
  expect(clones).toEqual(['first_copy', 'first_copy_1', 'first_copy_2', 'Other']);
  expect(refusal(await home.post('first', 'clone?new_name=other'))).toBe('400 task_exists');
  expect(refusal(await home.post('first', 'clone?new_name=a%2Fb'))).toBe('400 invalid_query');
});

it('TW9 a retry adds to what was used, and refuses to add nothing or less', async () => {
  await home.run('spent', ['tokens 500', 'cost 0.25', STEP], { max_iterations: 1 });
  const spent = await home.until('spent', 'EXHAUSTED');
  expect(spent).toMatchObject({ reason: 'max_iterations', iterations: 1, total_tokens_used: 500 });
  for (const wrong of ['iterations=0', 'iterations=-1', 'tokens=0', 'cost_usd=0', 'minutes=-5']) {
    expect(refusal(await home.post('spent', `retry?additional_${wrong}`))).toBe(
      '400 invalid_query',
    );
  }
  const more = 'additional_iterations=2&additional_tokens=1000&additional_cost_usd=1';
  const { body } = await home.post('spent', `retry?${more}`);
  expect(body).toMatchObject({
    // Queued for as long as the processes of its last turn take to end.
    status: expect.stringMatching(/^(running|queued)$/) as unknown,
    new_limits: { max_iterations: 3, max_tokens: 1500, max_cost_usd: 1.25, max_minutes: null },
  });
  const again = await home.until('spent', 'COMPLETED');
  expect(again.iterations).toBe(3);
  expect(again.end_criteria_config).toMatchObject(body['new_limits'] as object);
});

it('TW9 a retry without a number adds ten iterations', async () => {
  await home.run('spent-again', [STEP], { max_iterations: 1 });
  await home.until('spent-again', 'EXHAUSTED');
  const { body } = await home.post('spent-again', 'retry');
  expect(body['new_limits']).toMatchObject({ max_iterations: 11, max_tokens: null });
});

it('TW28 a recovery begins a new conversation and keeps the record of the old one', async () => {
  await taskIn(home, 'STOPPED', 'recovered-');
  const { total } = await home.conversation('recovered-stopped');
  const before = await home.get('recovered-stopped');
  const { body } = await home.post('recovered-stopped', 'recover');
  expect(body).toMatchObject({
    status: 'running',
    previous_session_cleared: true,
    conversation_preserved: true,
    interactions_count: before.interaction_count,
  });
  const after = await atWork(home, 'recovered-stopped');
  expect(after.claude_session_id).not.toBe(before.claude_session_id);
  expect((await home.conversation('recovered-stopped')).total).toBeGreaterThan(total);
});

it('TW10 a stop says how the process ended', async () => {
  await home.run('willing', ['hang']);
  await home.run('deaf', ['deaf', 'hang']);
  for (const name of ['willing', 'deaf']) await atWork(home, name);
  const stops = [];
  for (const name of ['willing', 'deaf']) {
    const { body } = await home.post(name, 'stop');
    stops.push([body['termination_method'], body['process_killed'], body['cleanup_performed']]);
    expect(await home.get(name)).toMatchObject({ status: 'STOPPED', process_running: false });
  }
  expect(stops).toEqual([
    ['SIGTERM', true, false],
    ['SIGKILL', true, false],
  ]);
  const task = await home.get('willing');
  expect(existsSync(task.worktree_path ?? '')).toBe(true);
});

it('TW11 a removal keeps unfinished work under the ref that its answer names', async () => {
  const worktree = await dirtyTask('leaving');
  const { status, body } = await home.api.send('DELETE', path('leaving'));
  const words = (body['worktree_cleanup'] as string[]).join('\n');
  const ref = /refs\/loopwatch\/\S+?(?=\.(?:\s|$))/.exec(words)?.[0] ?? '';
  expect([status, existsSync(worktree)]).toEqual([200, false]);
  expect(filesOf(ref)).toContain('unfinished.txt');
  expect(words).toContain(ref);
  expect(refusal(await home.api.get(path('leaving')))).toBe('404 task_unknown');
  expect((await home.create('leaving')).branch_name).toBe('task/leaving');
});

it('TW11 a removal without cleaning up leaves the worktree to people', async () => {
  const worktree = await dirtyTask('left');
  const answer = await home.api.send('DELETE', `${path('left')}?cleanup_worktree=false`);
  expect(answer).toEqual({ status: 200, body: { message: expect.any(String) as unknown } });
  expect(existsSync(join(worktree, 'unfinished.txt'))).toBe(true);
});

it.each([
  ['a repository that was deleted', '', 'is gone too.'],
  ['a deleted .git', '.git', 'left the files in'],
])('CL27 %s does not keep its task or run from being removed', async (_, part, words) => {
  const gone = gitRepository(world.taskDir(`gone${part}`));
  const task = await home.create(`orphan${part.slice(1)}`, { root_folder: gone });
  const started = await home.api.send('POST', '/api/runs', { prompt: 'Greet', cwd: gone });
  const run = `/api/runs/${String(started.body['id'])}`;
  await home.api.send('POST', `${run}/stop`, {});
  await until('the run is over', async () => {
    const { body } = await home.api.get(run);
    return body['status'] === 'stopped' ? true : null;
  });
  writeFileSync(join(task.worktree_path ?? '', 'unfinished.txt'), 'half\n');
  rmSync(join(gone, part), { recursive: true });
  const [byTask, byRun] = [
    await home.api.send('DELETE', path(`orphan${part.slice(1)}`)),
    await home.api.send('DELETE', run),
  ];
  expect([byTask.status, byRun.status]).toEqual([200, 200]);
  for (const said of [byTask.body['worktree_cleanup'], byRun.body['kept']]) {
    expect(said).toEqual([expect.stringContaining(`The repository ${gone} no longer exists`)]);
    expect(String(said)).toContain(words);
  }
  expect(existsSync(join(task.worktree_path ?? '', 'unfinished.txt'))).toBe(part !== '');
  expect(refusal(await home.api.get(path(`orphan${part.slice(1)}`)))).toBe('404 task_unknown');
  expect((await home.api.get(run)).status).toBe(404);
});

it('TW29 a task at work is ended before it is removed', async () => {
  const name = await taskIn(home, 'RUNNING', 'ended-');
  const { process_pid: pid } = await home.get(name);
  expect((await home.api.send('DELETE', path(name))).status).toBe(200);
  expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
});

it('TW31 several tasks are removed at once, each with its own result', async () => {
  for (const name of ['one', 'two']) await home.create(name);
  const { body } = await home.api.send('POST', '/api/v1/tasks/batch-delete', {
    task_names: ['one', 'nobody', 'TWO'],
  });
  expect(body).toMatchObject({
    total: 3,
    successful: 2,
    failed: 1,
    results: [
      { task_name: 'one', success: true },
      {
        task_name: 'nobody',
        success: false,
        message: 'no task named nobody; list them with: loopwatch task ls',
      },
      { task_name: 'TWO', success: true },
    ],
  });
});

it('TW29 worktrees are removed without the task, while it works only if it may be stopped', async () => {
  const name = await taskIn(home, 'RUNNING', 'bare-');
  expect(refusal(await home.api.send('DELETE', `${path(name)}/worktree`))).toBe(
    '400 wrong_task_status',
  );
  const gone = await home.api.send('DELETE', `${path(name)}/worktree?auto_stop=true`);
  expect(gone.body).toMatchObject({
    task_preserved: true,
    auto_stopped: true,
    cleanup_performed: true,
    git_cleanup: expect.arrayContaining([
      expect.stringContaining('Removed the worktree'),
    ]) as unknown,
  });
  expect(await home.get(name)).toMatchObject({ status: 'STOPPED', worktree_path: null });
  expect(refusal(await home.api.send('DELETE', `${path(name)}/worktree`))).toBe('400 no_worktree');
  expect((await home.api.get(`${path(name)}/worktree`)).body['worktrees']).toEqual([]);
  await home.post(name, 'resume');
  expect((await atWork(home, name)).worktree_path).not.toBe(null);
});

it('TW30 a fresh start in a directory where another task works forgets nothing', async () => {
  const plain = { root_folder: world.taskDir('plain'), use_worktree: false };
  await home.run('before', [DONE], plain);
  await home.until('before', 'COMPLETED');
  const { total } = await home.conversation('before');
  await atWork(home, (await home.run('there', ['hang'], plain)).task_name);
  expect(refusal(await home.post('before', 'clear-and-restart'))).toBe('400 project_busy');
  expect((await home.get('before')).status).toBe('COMPLETED');
  expect((await home.conversation('before')).total).toBe(total);
  await home.post('there', 'stop');
});

it('TW11, TW30 a fresh start forgets the conversation, counts it, and keeps the work', async () => {
  await home.run('anew', ['write hello.txt Hello', DONE]);
  await home.until('anew', 'COMPLETED');
  await home.say('anew', 'One more thing');
  const { total } = await home.conversation('anew');
  const { body } = await home.post('anew', 'clear-and-restart');
  expect(body).toMatchObject({ status: 'running', deleted_interactions: total });
  const words = (body['git_cleanup'] as string[]).join('\n');
  const ref = /refs\/loopwatch\/\S+?(?=\.(?:\s|$))/.exec(words)?.[0] ?? '';
  expect(filesOf(ref)).toContain('hello.txt');
  const task = await home.until('anew', 'COMPLETED');
  expect(task).toMatchObject({ iterations: 1, user_input_pending: false });
  expect((await home.inputs('anew')).total_inputs).toBe(0);
});
