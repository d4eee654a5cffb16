/** Merges of tasks into local branches: a real daemon, real git, real checks. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../support/git/git-repository.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const WORK = ['write hello.txt Hello', 'say One step is done.'];

async function home(world: World) {
  const { api } = await world.start();
  const tasks = new TaskHome(world, api);
  const branch = git(tasks.repository, 'symbolic-ref', '--short', 'HEAD');
  return { api, tasks, branch, repository: tasks.repository };
}

/** A task whose limit of one turn ended it, with an uncommitted file. */
async function ended(tasks: TaskHome, name: string, more: object = {}) {
  await tasks.run(name, WORK, { max_iterations: 1, ...more });
  await tasks.until(name, 'EXHAUSTED');
}

function commitTheirs(repository: string, file: string, text: string): void {
  writeFileSync(join(repository, file), text);
  git(repository, 'add', '.');
  git(repository, 'commit', '-qm', 'Other work');
}

/** The letter of the kernel; an ended process may wait for its parent as Z. */
function stateOf(pid: string): string {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 'gone';
  return /\) (\w)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
}

function errorOf({ status, body }: { status: number; body: Record<string, unknown> }) {
  const error = body['error'] as { code: string; message: string; details?: unknown };
  return { status, ...error };
}

it('TK30 TK31 TK32 a task is previewed, checked and merged: its commit, and who did it', async () => {
  await using world = new World();
  const { api, tasks, branch, repository } = await home(world);
  const gates = [{ name: 'both', command: 'cat hello.txt theirs.txt' }];
  await ended(tasks, 'fix', { gates });
  commitTheirs(repository, 'theirs.txt', 'theirs\n');
  const before = git(repository, 'for-each-ref');
  const preview = await api.get(`/api/v1/tasks/by-name/fix/merge?into=${branch}`);
  expect(preview.body).toMatchObject({ into: branch, conflicts: [], uncommitted: 1 });
  expect(preview.body['checks']).toEqual(['both']);
  expect(git(repository, 'for-each-ref')).toBe(before);
  const merged = await tasks.post('fix', 'merge', { into: branch, message: 'Greet everyone' });
  const commit = git(repository, 'rev-parse', branch);
  expect([merged.status, merged.body['commit']]).toEqual([200, commit]);
  expect(merged.body['checks']).toEqual([
    expect.objectContaining({ name: 'both', status: 'passed', output: 'Hello\ntheirs' }),
  ]);
  expect(git(repository, 'log', '-1', '--format=%s', branch)).toBe('Greet everyone');
  expect(git(repository, 'log', '-1', '--format=%P', branch).split(' ')).toHaveLength(2);
  expect(readFileSync(join(repository, 'hello.txt'), 'utf8').trim()).toBe('Hello');
  const { body } = await api.get('/api/events?types=task.merged');
  const data = { task: 'fix', into: branch, commit, author: 'admin' };
  expect(body['events']).toEqual([expect.objectContaining({ data, seq: merged.body['seq'] })]);
  const again = errorOf(await tasks.post('fix', 'merge', { into: branch }));
  expect(again).toMatchObject({ status: 409, code: 'merge_refused' });
});

it('TK30 a squash is one commit, and its message names the task', async () => {
  await using world = new World();
  const { tasks, branch, repository } = await home(world);
  await ended(tasks, 'fix');
  expect((await tasks.post('fix', 'merge', { into: branch, squash: true })).status).toBe(200);
  const last = git(repository, 'log', '-1', '--format=%s', branch);
  expect(last).toBe('Merge task fix: Greet by name.');
  expect(git(repository, 'log', '--merges', '--format=%s', branch)).toBe('');
});

it('TK31 TK33 a failed gate, a conflict, and a task at work leave the branch where it was', async () => {
  await using world = new World();
  const { tasks, branch, repository } = await home(world);
  const gates = [{ name: 'lint', command: 'test ! -e theirs.txt || { echo bad; exit 3; }' }];
  await ended(tasks, 'failing', { gates });
  await ended(tasks, 'clashing');
  commitTheirs(repository, 'theirs.txt', 'theirs\n');
  const before = git(repository, 'rev-parse', branch);
  const failing = errorOf(await tasks.post('failing', 'merge', { into: branch }));
  expect(failing).toMatchObject({ status: 409, code: 'merge_refused' });
  expect(failing.details).toMatchObject({
    checks: [{ name: 'lint', status: 'failed', exit_code: 3, output: 'bad' }],
  });
  expect(git(repository, 'rev-parse', branch)).toBe(before);
  commitTheirs(repository, 'hello.txt', 'Ave\n');
  const moved = git(repository, 'rev-parse', branch);
  const clashing = errorOf(await tasks.post('clashing', 'merge', { into: branch }));
  expect(clashing).toMatchObject({ code: 'merge_conflict', details: { files: ['hello.txt'] } });
  await tasks.run('working', ['hang']);
  await tasks.until('working', 'RUNNING');
  await tasks.create('pending');
  for (const name of ['working', 'pending']) {
    const { code } = errorOf(await tasks.post(name, 'merge', { into: branch }));
    expect(code).toBe('wrong_task_status');
  }
  const missing = errorOf(await tasks.post('failing', 'merge', { into: 'nowhere' }));
  expect([missing.status, missing.code]).toEqual([400, 'branch_missing']);
  expect(git(repository, 'rev-parse', branch)).toBe(moved);
  expect(git(repository, 'status', '--porcelain')).toBe('');
});

it('TK34 a daemon killed during a merge leaves the branch alone, and the next merge works', async () => {
  await using world = new World();
  const first = await world.spawn();
  const tasks = new TaskHome(world, first.api);
  const { repository } = tasks;
  const branch = git(repository, 'symbolic-ref', '--short', 'HEAD');
  const went = join(world.root, 'went');
  const pid = join(world.root, 'pid');
  const command = `test -e ${went} && exit 0; echo $$ > ${pid}; touch ${went}; sleep 600`;
  await ended(tasks, 'fix', { gates: [{ name: 'slow', command }] });
  const before = git(repository, 'rev-parse', branch);
  const cut = tasks.post('fix', 'merge', { into: branch }).catch(() => null);
  await until('the gate of the merge', () => Promise.resolve(existsSync(went) || null));
  await first.kill();
  await cut;
  expect(git(repository, 'rev-parse', branch)).toBe(before);
  tasks.api = (await world.start()).api;
  const merged = await tasks.post('fix', 'merge', { into: branch });
  expect([merged.status, merged.body['commit']]).toEqual([
    200,
    git(repository, 'rev-parse', branch),
  ]);
  expect(stateOf(readFileSync(pid, 'utf8').trim())).toMatch(/^(gone|Z)$/);
});
