/** Where the daemon's token and settings are, and where they must not be. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openShell, runInShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { DONE } from '../../support/tasks/task-states.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

const CANARY = 'canary-0123456789-canary';
const NODE_OPTIONS = '--no-warnings';
const REPORT = { step: 'report', result: '(generated)', next: '(stop)' };

/** A directory and everything below it. */
function below(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return [directory, ...names.map((name) => join(directory, name))];
}

function filesWith(directory: string, secret: string): string[] {
  return below(directory).filter(
    (path) => lstatSync(path).isFile() && readFileSync(path).includes(secret),
  );
}

/** Command lines and environments, containing the secret, of processes that work below a directory. */
function processesWith(directory: string, secret: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return (words + environment).includes(directory) && (words + environment).includes(secret);
      } catch {
        return false;
      }
    });
}

it('GA9 the environment of a terminal holds no token and no setting of the daemon', async () => {
  await using world = new World({
    LOOPWATCH_TOKEN: CANARY,
    LOOPWATCH_CANARY: CANARY,
    HOST: '::1',
    NODE_OPTIONS,
  });
  const { api } = await world.start();
  const names = [];
  for (const session of ['first', 'second']) {
    const cwd = world.taskDir(session);
    await openShell(api, session, cwd);
    const text = await runInShell(api, session, 'env > e; mv e env', join(cwd, 'env'));
    expect(text).not.toContain(CANARY);
    names.push(...text.split('\n').map((line) => line.split('=')[0] ?? ''));
  }
  const ours = names.filter((name) => /^(LOOPWATCH_|PORT$|HOST$|NODE_OPTIONS$)/.test(name));
  expect(ours.filter((name) => !/^LOOPWATCH_(STAND_IN_|TERMINAL_ID$)/.test(name))).toEqual([]);
});

it('GA9 after a whole session the token is in its file and nowhere else', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const taskDir = world.taskDir('one', { after: 'exit', steps: [{ do: 'step', signal: REPORT }] });
  await openShell(api, 'web', taskDir);
  await using client = await WsClient.connect(api);
  client.send({ type: 'subscribe', id: 1, types: ['*'], after: 0 });
  await api.startLoop('web', taskDir);
  await api.event('auto.ended');
  // Failing requests are what gets logged.
  await api.get(`/api/events?after=${api.token}`);
  await api.get(`/api/nothing?token=${api.token}`);
  await api.send('POST', '/api/sessions/web/task-auto', `{"taskDir":"${api.token}"`);
  const answers = [];
  for (const path of ['status', 'sessions', 'task-auto', 'events?after=0', 'openapi.json']) {
    answers.push(JSON.stringify(await api.get(`/api/${path}`)));
  }
  await runInShell(api, 'web', 'env > e; mv e env', join(taskDir, 'env'));
  expect({
    files: filesWith(world.root, api.token),
    processes: processesWith(world.root, api.token),
    answers: answers.filter((answer) => answer.includes(api.token)),
  }).toEqual({ files: [join(world.home, 'token')], processes: [], answers: [] });
});

it('GA9 a token from the environment is written nowhere', async () => {
  await using world = new World({ LOOPWATCH_TOKEN: CANARY });
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await openShell(api, 'web', taskDir);
  expect((await api.get('/api/status')).status).toBe(200);
  expect(filesWith(world.root, CANARY)).toEqual([]);
});

it('ST6 under umask 000 the home is 0700 and every file in it 0600', async () => {
  await using world = new World();
  mkdirSync(world.home, { mode: 0o755 });
  chmodSync(world.home, 0o755);
  const before = process.umask(0);
  const daemon = await world.spawn().finally(() => process.umask(before));
  await openShell(daemon.api, 'web', world.taskDir('one'));
  await daemon.api.send('POST', '/api/demo');
  await until('the demo runs', async () => (await daemon.api.events('&types=auto.signal')).length);
  const mode = (path: string) => {
    // A link has no mode of its own.
    const stat = statSync(path);
    const wanted = stat.isDirectory() ? 0o700 : 0o600;
    return { path, open: stat.mode & 0o777 & ~wanted };
  };
  // What an agent writes in the demo's own directories is below a 0700 home.
  const ours = below(world.home).filter((path) => !path.includes('/demo/'));
  const sockets = below(join(world.root, 'run')).slice(1);
  const open = [...ours, ...sockets].map(mode).filter(({ path, open }) => {
    return open !== 0 && !world.sockets().includes(path);
  });
  expect(open).toEqual([]);
});

it('ST6 sessions, turns and worktrees have the umask that the daemon was started with', async () => {
  await using world = new World();
  const before = process.umask(0o027);
  const { api } = await world.spawn().finally(() => process.umask(before));
  const tasks = new TaskHome(world, api);
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

  const said = join(world.taskDir('one'), 'umask.txt');
  await openShell(api, 'web', world.taskDir('one'));
  await runInShell(api, 'web', `umask > ${said}`, said);
  expect(readFileSync(said, 'utf8').trim()).toBe('0027');

  const { worktree_path } = await tasks.run('fix', ['write a.txt a', DONE], {
    test_commands: ['touch tested.txt'],
  });
  await tasks.until('fix', 'COMPLETED');
  const place = worktree_path ?? '';
  const made = [dirname(place), place, join(place, 'a.txt'), join(place, 'tested.txt')];
  expect(made.map(mode)).toEqual(['750', '750', '640', '640']);
});
