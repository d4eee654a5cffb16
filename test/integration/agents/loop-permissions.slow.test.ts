/** The permissions a loop was started with, in what its agent is given, all its life. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { recordArgv } from '../../support/agents/record-argv.ts';
import { openShell, rowsOf } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const KNOWN = '2.1.330 (Claude Code)';
const STAND_IN = join(packageRoot(), 'dist/stand-in/main.js');
const PLAN = { step: 'plan', result: '(generated)', next: 'check', checkpoint: 'post-plan' };
const LONG = {
  do: 'step',
  work_ms: 600_000,
  signal: { step: 'check', result: 'PASS', next: 'exec' },
};
const CRASH = { do: 'crash', signal: 'SIGKILL', times: 1 };

/** The stand-in as a client of that version; each start adds its arguments to a file. */
function recordStarts(world: World): () => string[] {
  const file = join(world.root, 'starts');
  world.writeClient(KNOWN, `echo "$*" >> '${file}'\nexec "${process.execPath}" "${STAND_IN}" "$@"`);
  return () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []);
}

function modeOf(line: string): string | undefined {
  return / --permission-mode (\S+) /.exec(line)?.[1];
}

interface Written {
  permissions: { defaultMode: string; allow?: string[]; additionalDirectories?: string[] };
}

function writtenFor(line: string): Written['permissions'] {
  const file = /--settings (\S+)/.exec(line)?.[1] ?? '';
  return (JSON.parse(readFileSync(file, 'utf8')) as Written).permissions;
}

it('LP65, HK31 an agent keeps its permissions over a crash and a new daemon, until a restart changes them', async () => {
  await using world = new World();
  const starts = recordStarts(world);
  const first = await world.spawn();
  const steps = [{ do: 'step', work_ms: 30, signal: PLAN }, CRASH, LONG];
  const taskDir = world.taskDir('one', { steps });
  await first.api.openSession('web', taskDir);
  const answer = await first.api.startLoop('web', taskDir, { permissions: 'ask' });
  expect(answer.status).toBe(201);
  expect(await first.api.event('auto.started')).toMatchObject({ data: { permissions: 'ask' } });
  await first.api.event('auto.restarted');
  await until('the agent runs again', () => starts().length === 2);
  expect(starts().map(modeOf)).toEqual(['default', 'default']);
  expect(writtenFor(starts()[1] ?? '')).toEqual({ defaultMode: 'default' });
  await first.kill();
  const { api } = await world.spawn();
  expect(await api.loop('web')).toMatchObject({ permissions: 'ask' });
  expect((await world.cli('loop', 'show', 'web')).stdout).toContain('\n  permissions: ask\n');
  expect((await world.cli('loop', 'why', 'web')).stdout).toContain('\npermitted  ask\n');
});

it('LP65 a failed loop is restarted with its permissions, or with others', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '50' });
  const starts = recordStarts(world);
  const { api } = await world.start();
  const taskDir = world.taskDir('one', { steps: [{ do: 'crash', code: 1 }] });
  await api.openSession('web', taskDir);
  const failed = async () =>
    until('the loop has failed', async () => (await api.loop('web')).status === 'failed');
  await api.startLoop('web', taskDir, { permissions: 'ask' });
  await failed();
  const restart = '/api/sessions/web/task-auto/restart';
  expect((await api.send('POST', restart, {})).status).toBe(201);
  await failed();
  expect(await api.loop('web')).toMatchObject({ permissions: 'ask' });
  const printed = await world.cli('loop', 'restart', 'web', '--permissions', 'edit');
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  await failed();
  expect(await api.loop('web')).toMatchObject({ permissions: 'edit' });
  expect(starts().map(modeOf)).toEqual([
    ...Array.from({ length: 4 }, () => 'default'),
    ...Array.from({ length: 2 }, () => 'acceptEdits'),
  ]);
});

it('LP65, HK32, HK33 without a choice, the settings decide what the agent in the terminal gets', async () => {
  await using world = new World({
    LOOPWATCH_LOOP: 'loopwatch',
    LOOPWATCH_LOOP_PERMISSIONS: 'edit',
  });
  const starts = recordStarts(world);
  const { api } = await world.start();
  const project = world.taskDir('shop');
  const taskDir = world.taskDir('shop/AiTasks/one', { steps: [LONG] });
  world.taskDir('shop/.git');
  writeFileSync(join(project, 'package.json'), '{"scripts": {"test": "x", "deploy": "y"}}');
  await openShell(api, 'web', taskDir);
  expect((await api.startLoop('web', taskDir)).status).toBe(201);
  expect(await api.loop('web')).toMatchObject({ permissions: 'edit' });
  await until('the client shows its mode', async () =>
    (await rowsOf(api, 'web')).some((row) => row.includes('accept edits on')),
  );
  const [line = ''] = starts();
  const { allow = [], ...others } = writtenFor(line);
  expect(others).toEqual({ defaultMode: 'acceptEdits', additionalDirectories: [project] });
  expect(allow).toContain('Bash(npm test:*)');
  expect(allow).toContain('Bash(loopwatch step check:*)');
  expect(allow.filter((rule) => rule.includes('deploy'))).toEqual([]);
});

it('HK31 a client whose files cannot be written still gets the mode that was chosen', async () => {
  await using world = new World();
  const argv = recordArgv(world, KNOWN);
  const { api } = await world.start();
  rmSync(join(world.home, 'runs'), { recursive: true, force: true });
  writeFileSync(join(world.home, 'runs'), '');
  const taskDir = world.taskDir('one');
  await openShell(api, 'web', taskDir);
  await api.startLoop('web', taskDir, { permissions: 'ask' });
  expect(await argv()).toEqual(['--permission-mode', 'default', `/moonview:auto ${taskDir}`]);
});

it.each([
  ['another client', 'codex-cli 0.169.0', {}],
  ['a template without flags', KNOWN, { LOOPWATCH_AUTO_COMMAND: '{claude} "/loop {taskDir}"' }],
])(
  'LP66 %s accepts no permissions, and a start that names any types nothing',
  async (_, version, settings) => {
    await using world = new World(settings);
    const argv = recordArgv(world, version);
    const { api } = await world.start();
    const taskDir = world.taskDir('one');
    await openShell(api, 'web', taskDir);
    const before = await rowsOf(api, 'web');
    const refused = await api.startLoop('web', taskDir, { permissions: 'ask' });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: 'permissions_unavailable' } },
    });
    expect(await rowsOf(api, 'web')).toEqual(before);
    const printed = await world.cli('loop', 'start', taskDir, '--permissions', 'everything');
    expect(printed.code).toBe(1);
    expect(printed.stderr).toContain(
      'start the loop without permissions (permissions_unavailable)',
    );
    expect((await api.get('/api/status')).body['loop_permissions']).toBeNull();
    expect((await api.startLoop('web', taskDir)).status).toBe(201);
    expect(await api.loop('web')).toMatchObject({ permissions: null });
    expect((await argv()).join(' ')).not.toContain('permission');
    expect((await world.cli('loop', 'show', 'web')).stdout).toContain(
      'permissions: Set in the agent',
    );
  },
);

it('LP66 a client that is already open keeps its own permissions', async () => {
  await using world = new World();
  recordStarts(world);
  const { api } = await world.start();
  const REPORT = { step: 'report', result: '(generated)', next: '(stop)' };
  const ended = { status_record: true, steps: [{ do: 'step', work_ms: 30, signal: REPORT }] };
  const taskDir = world.taskDir('one', ended);
  await api.openSession('web', taskDir);
  await api.startLoop('web', taskDir, { permissions: 'ask' });
  await api.event('auto.ended');
  const next = world.taskDir('two', { steps: [LONG] });
  const refused = await api.startLoop('web', next, { permissions: 'everything' });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { code: 'permissions_unavailable' } },
  });
  expect((await api.startLoop('web', next)).status).toBe(201);
  expect(await api.loop('web')).toMatchObject({ permissions: null });
});

it('LP65 a choice that does not exist is refused by REST and shell', async () => {
  await using world = new World();
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await api.openSession('web', taskDir);
  const refused = await api.startLoop('web', taskDir, { permissions: 'all' });
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_body' } } });
  const printed = await world.cli('loop', 'start', taskDir, '--permissions', 'all');
  expect(printed.code).toBe(2);
  expect(readdirSync(taskDir)).toEqual([]);
});
