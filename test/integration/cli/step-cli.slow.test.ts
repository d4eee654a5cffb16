/** `loopwatch step …`, as the agent of a loop runs it: without a daemon, each command a process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git, gitRepository } from '../../support/git/git-repository.ts';
import { World } from '../../support/daemon/world.ts';

const PLAN = ['--step', 'plan', '--result', '(generated)'];

/** Runs one command on the task directory `task` of a world; returns what it printed, as JSON too. */
async function step(world: World, name: string, ...words: string[]) {
  const ended = await world.cli('step', name, '--dir', join(world.root, 'tasks/task'), ...words);
  const json = ended.stdout.startsWith('{') ? (JSON.parse(ended.stdout) as unknown) : null;
  return { ...ended, json };
}

function inTask(world: World, ...path: string[]): string {
  return join(world.root, 'tasks/task', ...path);
}

it('LS5 done prints the five fields of the step, and writes them with time and run', async () => {
  await using world = new World({ LOOPWATCH_RUN: 'run-1' });
  world.taskDir('task');
  const first = await step(world, 'done', ...PLAN, '--json');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toBe(
    '{"step":"plan","result":"(generated)","next":"check","checkpoint":"post-plan","iteration":1}\n',
  );
  const written = JSON.parse(readFileSync(inTask(world, '.auto-signal'), 'utf8')) as object;
  expect(written).toEqual({
    ...(first.json as object),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    run_id: 'run-1',
  });
  const check = ['--step', 'check', '--checkpoint', 'mid-exec', '--result', 'NEEDS_FIX'];
  const second = await step(world, 'done', ...check);
  expect(second.stdout).toBe(
    'check NEEDS_FIX, iteration 2\nnext: exec at mid-exec (something small is wrong; fix it)\n',
  );
  expect(readdirSync(inTask(world))).toEqual(['.auto-signal']);
});

it.each([
  [
    ['--step', 'merge', '--result', 'PASS'],
    'merge cannot end with "PASS"; allowed: success, conflict',
  ],
  [
    ['--step', 'check', '--result', 'ACCEPT', '--checkpoint', 'post-plan'],
    'check at post-plan cannot end with "ACCEPT"; allowed: PASS, NEEDS_REVISION, BLOCKED',
  ],
  [['--step', 'verify', '--result', '(pass)'], 'there is no step "verify"; allowed: plan, check'],
  [['--step', 'plan'], "required option '--result <result>' not specified"],
])(
  'LS15 done %j is refused with 2, says what is allowed, and writes nothing',
  async (words, says) => {
    await using world = new World();
    world.taskDir('task');
    const { code, stdout, stderr } = await step(world, 'done', ...words, '--json');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(readdirSync(inTask(world))).toEqual([]);
  },
);

it('LS22 init creates a module once, and never overwrites existing files', async () => {
  await using world = new World();
  expect(await step(world, 'init', '--target', '# Hello\nWrite hello world.')).toMatchObject({
    code: 0,
    stdout: `${inTask(world)}: created\n`,
  });
  expect(readFileSync(inTask(world, '.target.md'), 'utf8')).toBe('# Hello\nWrite hello world.\n');
  expect((await step(world, 'status', '--json')).json).toMatchObject({
    title: 'Hello',
    status: 'draft',
    phase: '',
    completed_steps: 0,
    branch: '',
    signal: null,
    lock: null,
    stop: null,
  });
  const before = readFileSync(inTask(world, '.index.json'), 'utf8');
  const again = await step(world, 'init', '--target', 'Something else');
  expect([again.code, again.stderr]).toEqual([
    1,
    `loopwatch: ${inTask(world)} is a task module already; nothing was changed\n`,
  ]);
  expect(readFileSync(inTask(world, '.index.json'), 'utf8')).toBe(before);
});

it('LS17, LS22 init takes the target from a file, keeps one that is there, and writes a template', async () => {
  await using world = new World();
  writeFileSync(join(world.root, 'target.txt'), 'From a file.\n');
  expect((await step(world, 'init', '--target', '@target.txt')).code).toBe(0);
  expect(readFileSync(inTask(world, '.target.md'), 'utf8')).toBe('From a file.\n');
  const kept = world.taskDir('kept');
  writeFileSync(join(kept, '.target.md'), 'By hand.\n');
  expect((await world.cli('step', 'init', '--dir', kept, '--target', 'x')).code).toBe(1);
  expect(existsSync(join(kept, '.index.json'))).toBe(false);
  expect((await world.cli('step', 'init', '--dir', kept)).code).toBe(0);
  expect(readFileSync(join(kept, '.target.md'), 'utf8')).toBe('By hand.\n');
  const empty = join(world.root, 'tasks/empty');
  expect((await world.cli('step', 'init', '--dir', empty)).stdout).toContain('; fill ');
  const { code, stderr } = await world.cli('step', 'entry', '--dir', empty);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`fill ${empty}/.target.md`)]);
  expect((await world.cli('step', 'init', '--dir', empty, '--target', ' ')).code).toBe(2);
});

it('LS6 entry says where to start, or what to do when nothing can start', async () => {
  await using world = new World();
  expect((await step(world, 'entry')).code).toBe(4);
  world.taskDir('task');
  const none = await step(world, 'entry');
  expect([none.code, none.stderr]).toEqual([4, expect.stringContaining('loopwatch step init')]);
  writeFileSync(inTask(world, '.index.json'), '{"status":"re-planning","phase":"needs-check"}');
  expect((await step(world, 'entry', '--json')).stdout).toBe(
    '{"status":"re-planning","phase":"needs-check","next":"check","checkpoint":"post-plan","iteration":0,"reason":"the new plan waits to be checked"}\n',
  );
  writeFileSync(inTask(world, '.index.json'), '{"status":"blocked"}');
  expect((await step(world, 'entry')).stdout).toContain('next: (stop) (it is blocked until');
  writeFileSync(inTask(world, '.index.json'), '{"status":');
  const torn = await step(world, 'entry');
  expect([torn.code, torn.stderr]).toEqual([
    1,
    expect.stringContaining('is not valid JSON; restore'),
  ]);
});

it('LS23 stop-requested exits with 0 when the loop must stop, with any content of the file', async () => {
  await using world = new World();
  world.taskDir('task');
  const free = await step(world, 'stop-requested');
  expect([free.code, free.stdout]).toEqual([1, '']);
  expect((await step(world, 'stop-requested', '--json')).stdout).toBe('{"stop":null}\n');
  const stop = { reason: 'timeout', timestamp: '2026-01-01T00:00:00Z' };
  writeFileSync(inTask(world, '.auto-stop'), JSON.stringify(stop));
  expect(await step(world, 'stop-requested')).toMatchObject({
    code: 0,
    stdout: 'stop requested: timeout since 2026-01-01T00:00:00Z\n',
  });
  expect((await step(world, 'stop-requested', '--json')).json).toEqual({ stop });
  for (const text of ['', '{"reason":"\\u001b[2J"}', 'stop!']) {
    writeFileSync(inTask(world, '.auto-stop'), text);
    const odd = await step(world, 'stop-requested');
    expect([odd.code, odd.stdout]).toEqual([0, 'stop requested: unknown\n']);
  }
  expect((await world.cli('step', 'stop-requested', '--dir', '/nowhere')).code).toBe(4);
});

it('LS18 of many agents that find a dead lock at once one gets it', async () => {
  await using world = new World();
  writeFileSync(
    join(world.taskDir('task'), '.lock'),
    '{"pid":1,"startedAt":"x","run":null,"since":""}',
  );
  const agents = Array.from({ length: 5 }, () => spawn('sleep', ['1000'], { stdio: 'ignore' }));
  const pids = agents.map(({ pid }) => String(pid));
  const tried = await Promise.all(
    pids.map(async (pid) => step(world, 'lock', '--pid', pid, '--json')),
  );
  const [winner, ...others] = tried.filter(({ code }) => code === 0);
  expect(winner?.json).toMatchObject({ lock: 'taken_over' });
  expect(others).toEqual([]);
  const lost = tried.filter(({ code }) => code !== 0);
  expect(lost.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  const gone = agents.map(async (agent) => once(agent, 'exit'));
  for (const agent of agents) agent.kill('SIGKILL');
  await Promise.all(gone);
});

it('LS7, LS20, LS24 the lock belongs to the agent behind the shells, and is released with the stop request', async () => {
  await using world = new World();
  world.taskDir('task');
  expect((await step(world, 'stop')).stderr).toContain('no loop runs in');
  // Tests stand for the agent here: they are what calls.
  const taken = await step(world, 'lock', '--json');
  expect(taken.json).toEqual({ lock: 'acquired', pid: process.pid });
  expect((await step(world, 'lock', '--json')).json).toMatchObject({ lock: 'already_held' });
  expect((await step(world, 'stop')).stdout).toBe('the loop stops after its current step\n');
  expect((await step(world, 'stop-requested')).stdout).toContain('user_stop');
  expect((await step(world, 'stop', '--clear')).code).toBe(0);
  expect((await step(world, 'stop-requested')).code).toBe(1);
  await step(world, 'stop');
  expect((await step(world, 'lock', '--release')).code).toBe(0);
  expect(readdirSync(inTask(world))).toEqual([]);
});

it('LS20, LS24 a loop under a daemon is stopped there', async () => {
  await using world = new World({ LOOPWATCH_RUN: 'run-1' });
  world.taskDir('task');
  await step(world, 'lock');
  const { code, stderr } = await step(world, 'stop');
  expect([code, stderr]).toEqual([1, expect.stringContaining('a daemon supervises this loop')]);
  writeFileSync(inTask(world, '.auto-stop'), '{}');
  await step(world, 'lock', '--release');
  expect(readdirSync(inTask(world))).toEqual(['.auto-stop']);
});

it('LS12, LS24 stop --cancel ends the task for good, also when no loop runs', async () => {
  await using world = new World();
  await step(world, 'init', '--target', 'x');
  expect((await step(world, 'stop', '--cancel')).stdout).toBe('the task is cancelled\n');
  expect((await step(world, 'entry', '--json')).json).toMatchObject({ next: '(stop)' });
  expect((await step(world, 'stop', '--cancel', '--clear')).code).toBe(2);
});

it('LS8 check runs the project’s own commands, in its working tree', async () => {
  await using world = new World({ LOOPWATCH_TASK_TEST_TIMEOUT_MS: '60000' });
  const project = gitRepository(join(world.root, 'tasks'));
  await step(world, 'init', '--target', 'x');
  expect(await step(world, 'check')).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringContaining(inTask(world, '.test/commands')) as string,
  });
  writeFileSync(inTask(world, '.test/commands'), 'echo ran in $PWD\n');
  expect((await step(world, 'check', '--json')).json).toMatchObject({
    outcome: 'passed',
    directory: project,
    checks: [{ command: 'echo ran in $PWD', exit_code: 0, output: `ran in ${project}` }],
  });
  writeFileSync(inTask(world, '.test/commands'), 'echo why; exit 7\n');
  const failed = await step(world, 'check');
  expect([failed.code, failed.stderr]).toEqual([1, 'loopwatch: checks failed\n']);
  expect(failed.stdout).toMatch(/^failed: echo why; exit 7 \(exit code 7, \d+ ms\)\n {2}\| why\n$/);
});

it('LS9 transient files stay out of git, in the main worktree and in a linked one', async () => {
  await using world = new World();
  const project = gitRepository(join(world.root, 'tasks/project'));
  const linked = join(world.root, 'tasks/linked');
  git(project, 'worktree', 'add', '--quiet', '-b', 'side', linked);
  for (const top of [project, linked]) {
    const dir = join(top, 'tasks/one');
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, '.auto-stop'), '{}');
    await world.cli('step', 'done', '--dir', dir, ...PLAN);
    await world.cli('step', 'lock', '--dir', dir);
    expect(readdirSync(dir).sort()).toEqual(['.auto-signal', '.auto-stop', '.lock']);
    expect(git(top, 'status', '--short')).toBe('');
  }
  const exclude = readFileSync(join(project, '.git/info/exclude'), 'utf8').split('\n');
  expect(exclude.filter((line) => line === '.auto-signal')).toHaveLength(1);
});

it('LS26 guide prints how a step is done', async () => {
  await using world = new World();
  const { code, stdout } = await step(world, 'guide', '--step', 'exec');
  expect([code, stdout]).toEqual([0, expect.stringContaining(`(DIR): \`${inTask(world)}\``)]);
  expect((await step(world, 'guide', '--step', 'deploy')).code).toBe(2);
});
