/** The start of a client that is known to accept our settings, and the files it is started with. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { QUIET_STEPS } from '../../../server/agents/launch/step-access.ts';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { isAlive, type ProcessIdentity } from '../../../server/lib/processes/process-identity.ts';
import { recordArgv } from '../../support/agents/record-argv.ts';
import { openShell, rowsOf, runInShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const KNOWN = '2.1.329 (Claude Code)';

interface Settings {
  env: Record<string, string>;
  permissions?: { allow?: string[] };
  hooks: Record<string, { hooks: { command: string }[] }[]>;
  statusLine?: { command: string };
}

function loopsOf(world: World): string[] {
  const directory = join(world.home, 'runs');
  return existsSync(directory) ? readdirSync(directory) : [];
}

function onlyRun(world: World): string {
  const [run = '', ...others] = loopsOf(world);
  expect(others).toEqual([]);
  return join(world.home, 'runs', run);
}

function settingsOf(world: World): Settings {
  return JSON.parse(readFileSync(join(onlyRun(world), 'settings.json'), 'utf8')) as Settings;
}

it('HK8, HK31, HK35, LP1 a known client is started with its settings before the prompt', async () => {
  await using world = new World();
  const argv = recordArgv(world, KNOWN);
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await openShell(api, 'web', taskDir);
  expect((await api.startLoop('web', taskDir)).status).toBe(201);
  const settings = join(onlyRun(world), 'settings.json');
  const mode = ['--permission-mode', 'acceptEdits'];
  expect(await argv()).toEqual(['--settings', settings, ...mode, `/moonview:auto ${taskDir}`]);
  const [started] = await api.events('&types=auto.started');
  expect(settingsOf(world).env).toMatchObject({
    LOOPWATCH_RUN: started !== undefined && 'run_id' in started.data && started.data.run_id,
    LOOPWATCH_SIGNAL_DIR: taskDir,
  });
  const typed = (await rowsOf(api, 'web')).join('');
  expect(typed).toContain(
    `claude --settings "${settings}" ${mode.join(' ')} "/moonview:auto ${taskDir}"`,
  );
});

it('HK29, HK30, LP1 the loop of Loopwatch is passed to a client that accepts it, with steps that never ask', async () => {
  await using world = new World({ LOOPWATCH_LOOP: 'loopwatch' });
  const argv = recordArgv(world, KNOWN);
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await openShell(api, 'web', taskDir);
  expect((await api.startLoop('web', taskDir, { permissions: 'ask' })).status).toBe(201);
  const run = onlyRun(world);
  const [settings, plugin] = [join(run, 'settings.json'), join(packageRoot(), 'plugin')];
  expect(await argv()).toEqual([
    '--settings',
    settings,
    '--permission-mode',
    'default',
    '--plugin-dir',
    plugin,
    `/loopwatch:auto ${taskDir}`,
  ]);
  const program = settingsOf(world).env['LOOPWATCH_BIN'] ?? '';
  expect(settingsOf(world).permissions?.allow).toEqual([
    ...QUIET_STEPS.flatMap((verb) => [
      `Bash(${program} step ${verb}:*)`,
      `Bash(loopwatch step ${verb}:*)`,
    ]),
    'Bash(printenv LOOPWATCH_BIN)',
  ]);
  // It runs what the agent may have written: that is the person's to allow.
  expect(QUIET_STEPS).not.toContain('check');
  const words = ['step', 'stop-requested', '--dir', taskDir, '--json'];
  const answer = await execFile(program, words, { timeoutMs: 60_000 });
  expect(answer).toMatchObject({ ok: false, code: 1, stdout: '{"stop":null}\n' });
  const { body } = await api.get('/api/status');
  expect(body['start_command']).toContain(
    `--permission-mode {permissionMode} --plugin-dir "${plugin}" "/loopwatch:auto {taskDir}"`,
  );
});

it.each([
  ['2.1.196 (Claude Code)', 4],
  ['codex-cli 0.169.0', 0],
])('HK29 a client that says %s is not given the loop', async (version, flags) => {
  await using world = new World({ LOOPWATCH_LOOP: 'loopwatch' });
  const argv = recordArgv(world, version);
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await openShell(api, 'web', taskDir);
  await api.startLoop('web', taskDir);
  const words = await argv();
  expect([words.length, words.at(-1)]).toEqual([flags + 1, `/loopwatch:auto ${taskDir}`]);
  expect(words).not.toContain('--plugin-dir');
});

it.each(['', '0.2.9 (Claude Code)', 'codex-cli 0.169.0'])(
  'HK8, LP1 a client that says %j is started without',
  async (version) => {
    await using world = new World();
    const argv = recordArgv(world, version);
    const { api } = await world.start();
    const taskDir = world.taskDir('one');
    await openShell(api, 'web', taskDir);
    expect((await api.startLoop('web', taskDir)).status).toBe(201);
    expect({ argv: await argv(), runs: loopsOf(world) }).toEqual({
      argv: [`/moonview:auto ${taskDir}`],
      runs: [],
    });
  },
);

it('HK1 an update of the client is noticed at the next start', async () => {
  await using world = new World();
  const argv = recordArgv(world, '2.1.328 (Claude Code)');
  const { api } = await world.start();
  await openShell(api, 'one', world.taskDir('one'));
  await api.startLoop('one', world.taskDir('one'));
  await argv();
  const before = Object.keys(settingsOf(world).hooks);
  await api.send('DELETE', '/api/sessions/one');
  await until(
    'the session is gone',
    async () => (await api.get('/api/sessions/one')).status === 404,
  );
  recordArgv(world, '2.1.3290 (Claude Code)');
  await openShell(api, 'two', world.taskDir('two'));
  await api.startLoop('two', world.taskDir('two'));
  expect(before).not.toContain('StopFailure');
  await until('the files of the first are gone', () => loopsOf(world).length === 1);
  expect(Object.keys(settingsOf(world).hooks)).toContain('StopFailure');
});

it('HK9 the files of a loop are 0600 in a 0700 directory, and removed with its agent', async () => {
  await using world = new World();
  world.writeClient(KNOWN, 'until [ -e go ]; do sleep 0.05; done');
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await openShell(api, 'web', taskDir);
  await api.startLoop('web', taskDir);
  const run = onlyRun(world);
  const mode = (path: string) => (lstatSync(path).mode & 0o777).toString(8);
  const files = readdirSync(run).sort();
  expect([mode(run), files, files.map((name) => mode(join(run, name)))]).toEqual([
    '700',
    ['hook.json', 'settings.json'],
    ['600', '600'],
  ]);
  await api.send('DELETE', '/api/sessions/web/task-auto');
  writeFileSync(join(taskDir, 'go'), '');
  await api.event('auto.ended');
  await until('the files are gone', () => loopsOf(world).length === 0);
});

it('HK9 the files of a client that stays open are kept, over a restart of the daemon', async () => {
  await using world = new World();
  const steps = [{ do: 'step', signal: { step: 'report', result: '(generated)', next: '(stop)' } }];
  const stand = readFileSync(join(world.root, 'bin/claude'), 'utf8').split('\n')[1] ?? '';
  world.writeClient(KNOWN, stand);
  const first = await world.start();
  const taskDir = world.taskDir('one', { status_record: true, steps });
  await openShell(first.api, 'web', taskDir);
  await first.api.startLoop('web', taskDir);
  await first.api.event('auto.ended');
  const run = onlyRun(world);
  await first.daemon.close();
  const { api } = await world.start();
  expect(existsSync(join(run, 'hook.json'))).toBe(true);
  await api.send('DELETE', '/api/sessions/web');
  await until(
    'the session is gone',
    async () => (await api.get('/api/sessions/web')).status === 404,
  );
  const agent = JSON.parse(readFileSync(join(run, 'agent.json'), 'utf8')) as ProcessIdentity;
  await until('its client has ended', () => !isAlive(agent));
  recordArgv(world, KNOWN);
  await openShell(api, 'two', world.taskDir('two'));
  await api.startLoop('two', world.taskDir('two'));
  await until('the files of the first are gone', () => !existsSync(run));
});

it.each([
  [true, { statusLine: { type: 'command', command: 'date' } }],
  [false, { theme: 'dark' }],
])('HK4 the status line of the user is left alone: %j', async (own, content) => {
  await using world = new World();
  mkdirSync(join(world.root, 'claude'), { recursive: true });
  writeFileSync(join(world.root, 'claude', 'settings.json'), JSON.stringify(content));
  recordArgv(world, KNOWN);
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await openShell(api, 'web', taskDir);
  await api.startLoop('web', taskDir);
  expect(settingsOf(world).statusLine === undefined).toBe(own);
});

it('HK8, HK31 a home whose path cannot be typed means a start without settings', async () => {
  await using odd = new World();
  await using world = new World({ LOOPWATCH_HOME: join(odd.root, 'a$b') });
  const argv = recordArgv(world, KNOWN);
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await openShell(api, 'web', taskDir);
  expect((await api.startLoop('web', taskDir)).status).toBe(201);
  const mode = ['--permission-mode', 'acceptEdits'];
  expect(await argv()).toEqual([...mode, `/moonview:auto ${taskDir}`]);
});

it('HK10 a program in a session sees TERM, TMUX and TMUX_PANE', async () => {
  await using world = new World();
  const { api } = await world.start();
  const cwd = world.taskDir('one');
  await openShell(api, 'web', cwd);
  const text = await runInShell(api, 'web', 'env > e; mv e env', join(cwd, 'env'));
  const names = text.split('\n').map((line) => line.split('=')[0] ?? '');
  expect(names).toEqual(expect.arrayContaining(['TERM', 'TMUX', 'TMUX_PANE']));
  expect(text).toMatch(/^TMUX=\/\S+,\d+,\d+$/m);
  expect(text).toMatch(/^TMUX_PANE=%\d+$/m);
});
