/** The end of a loop as the host sees it: checks that run in a clean checkout, on a real daemon. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { git, gitRepository } from '../../support/git/git-repository.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const report = {
  do: 'step',
  signal: { step: 'report', result: '(generated)', next: '(stop)' },
};

/** A project with a task in it that names its checks; a loop that reports its end at once. */
function project(world: World, commands: string[] | null, steps: object[] = [report]) {
  const top = gitRepository(join(world.root, 'tasks', 'project'));
  const taskDir = world.taskDir('project/AiTasks/one', { status_record: true, steps });
  mkdirSync(join(taskDir, '.test'));
  if (commands !== null) writeFileSync(join(taskDir, '.test/commands'), commands.join('\n'));
  return { top, taskDir };
}

async function begin(world: World, taskDir: string): Promise<ApiClient> {
  const { api } = await world.start();
  await startLoop(api, taskDir);
  return api;
}

async function startLoop(api: ApiClient, taskDir: string): Promise<void> {
  await api.openSession('web', taskDir);
  expect((await api.startLoop('web', taskDir)).status).toBe(201);
}

const leftCheckouts = (world: World) => {
  const place = join(world.home, 'loop-checks/checkouts');
  return existsSync(place) ? readdirSync(place) : [];
};

it('LP56, LP57 the checks run in a clean checkout of the project’s content, and prove the end', async () => {
  await using world = new World();
  const said = join(world.root, 'said');
  const { top, taskDir } = project(world, [
    `pwd > '${said}'; cat new.txt README.md node_modules/x >> '${said}'`,
    'test -f new.txt && test ! -e ignored.txt',
  ]);
  writeFileSync(join(top, '.gitignore'), 'ignored.txt\nnode_modules\n');
  writeFileSync(join(top, 'ignored.txt'), 'ignored\n');
  writeFileSync(join(top, 'new.txt'), 'new\n');
  mkdirSync(join(top, 'node_modules'));
  writeFileSync(join(top, 'node_modules/x'), 'module\n');
  const api = await begin(world, taskDir);
  const ended = await api.event('auto.ended');
  expect(ended.data).toMatchObject({ reason: 'completed' });
  expect(ended.data).not.toHaveProperty('unproven');
  const { data } = await api.event('auto.checked');
  expect(data).toMatchObject({
    outcome: 'passed',
    commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
    checks: [{ status: 'passed' }, { status: 'passed', exit_code: 0 }],
  });
  const [place, ...lines] = readFileSync(said, 'utf8').trim().split('\n');
  expect(place).toContain(join(world.home, 'loop-checks'));
  expect(lines).toEqual(['new', 'A project.', 'module']);
  expect([leftCheckouts(world), git(top, 'worktree', 'list').split('\n').length]).toEqual([[], 1]);
  expect(existsSync(join(top, 'node_modules/x'))).toBe(true);
});

it('LP57 a loop that claims more than the host sees ends unproven: in events, REST and shell', async () => {
  await using world = new World();
  const { taskDir } = project(world, ['echo two of three; exit 3']);
  const api = await begin(world, taskDir);
  const { data } = await api.event('auto.ended');
  expect(data).toMatchObject({ reason: 'completed', unproven: 'checks_failed' });
  const checked = await api.event('auto.checked');
  expect(checked.data).toMatchObject({ checks: [{ exit_code: 3, output: 'two of three' }] });
  const { body } = await api.get('/api/task-auto/history');
  expect(body['runs']).toMatchObject([{ reason: 'completed', unproven: 'checks_failed' }]);
  const { stdout } = await world.cli('loop', 'why', 'web');
  expect(stdout).toContain('unverified: the checks fail');
  expect(stdout).toContain('echo two of three; exit 3: exit code 3, two of three');
});

it.each([
  ['moonview', 'without checks of its own', {}, []],
  ['loopwatch', 'with nothing to run', {}, ['checked', 'no_checks']],
  ['loopwatch', 'switched off', { LOOPWATCH_LOOP_STOP_CHECK: 'off' }, []],
])('LP58 the end of a loop of %s %s: %j', async (loop, _, more, expected) => {
  await using world = new World({ LOOPWATCH_LOOP: loop, ...more });
  const { taskDir } = project(world, null);
  const api = await begin(world, taskDir);
  const { data } = await api.event('auto.ended');
  const checks = await api.events('&types=auto.checked');
  const seen = [
    ...checks.map(() => 'checked'),
    ...('unproven' in data && data.unproven !== undefined ? [data.unproven] : []),
  ];
  expect(seen).toEqual(expected);
});

/** Says that it runs, and continues when `go` exists. */
const held = (root: string) =>
  `echo $$ >> '${root}/ran'; until [ -e '${root}/go' ]; do sleep 0.05; done`;

const ran = (world: World) =>
  existsSync(join(world.root, 'ran'))
    ? readFileSync(join(world.root, 'ran'), 'utf8').trim().split('\n').map(Number)
    : [];

it('LP59, LP62 the wait is shown with its reason, and a daemon checks again after kill -9', async () => {
  await using world = new World();
  const { taskDir } = project(world, [held(world.root)]);
  const killed = await world.spawn();
  const { api } = killed;
  await startLoop(api, taskDir);
  await api.event('auto.check_started');
  await until('it runs', () => ran(world).length === 1);
  expect((await api.loop('web')).wait).toMatchObject({
    reason: 'checking',
    evidence: [{ witness: 'checks', lines: [held(world.root)] }],
  });
  const { stdout } = await world.cli('loop', 'show', 'web');
  expect(stdout).toContain('Checking. The agent reported the end.');
  await killed.kill();
  const { api: next } = await world.start();
  await until('it runs again', () => ran(world).length === 2);
  const [first = 0] = ran(world);
  await until('the first has ended', () => !existsSync(`/proc/${first}`));
  appendFileSync(join(world.root, 'go'), '');
  const { data } = await next.event('auto.ended');
  expect(data).toMatchObject({ reason: 'completed' });
  expect(data).not.toHaveProperty('unproven');
  await until('nothing is left', () => leftCheckouts(world).length === 0);
});

it('LP60 a stop by a person ends the checks', async () => {
  await using world = new World();
  const { taskDir } = project(world, [held(world.root)]);
  const api = await begin(world, taskDir);
  await until('it runs', () => ran(world).length === 1);
  await api.send('DELETE', '/api/sessions/web/task-auto');
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'user_stop' });
  const [pid = 0] = ran(world);
  await until('its process has ended', () => !existsSync(`/proc/${pid}`));
  await until('nothing is left', () => leftCheckouts(world).length === 0);
  expect(await api.events('&types=auto.checked')).toEqual([]);
});

it('LP61 failed checks are typed to the idle agent, which reports again', async () => {
  await using world = new World({ LOOPWATCH_LOOP_STOP_CHECK: 'send_back' });
  const once = join(world.root, 'once');
  const steps = [report, { do: 'pause' }, report];
  const { taskDir } = project(world, [`test -e '${once}' || { touch '${once}'; exit 1; }`], steps);
  const api = await begin(world, taskDir);
  const { data } = await api.event('auto.ended');
  expect(data).toMatchObject({ reason: 'completed' });
  expect(data).not.toHaveProperty('unproven');
  const checked = await api.events('&types=auto.checked,auto.sent_back');
  expect(
    checked.map(({ type, data: found }) => ('outcome' in found ? found.outcome : type)),
  ).toEqual(['failed', 'auto.sent_back', 'passed']);
});
