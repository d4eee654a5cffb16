/** Sessions over REST: opened, shown, typed into, ended, and confined to the roots. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { openShell, runInShell, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

it('WI1 a session is the same in the answers that open, show and list it', async () => {
  await using world = new World();
  const { api } = await world.start();
  const cwd = world.taskDir('one');
  const opened = await api.send('POST', '/api/sessions', { name: 'web', cwd });
  const session = { name: 'web', cwd, terminal: 'tmux', status: 'open', owner: null, agent: null };
  expect(opened).toEqual({ status: 201, body: { ...session, created_at: TIME } });
  expect(await api.get('/api/sessions/web')).toEqual({ status: 200, body: opened.body });
  expect(await api.get('/api/sessions')).toEqual({
    status: 200,
    body: { sessions: [opened.body] },
  });
});

it('WI1 a taken name is 409 session_exists, also when many request it at once', async () => {
  await using world = new World();
  const { api } = await world.start();
  const body = { name: 'web', cwd: world.taskDir('one') };
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => api.send('POST', '/api/sessions', body)),
  );
  const refused = answers.filter(({ status }) => status !== 201).map(refusal);
  expect(refused).toEqual(Array.from({ length: 19 }, () => '409 session_exists'));
  expect(world.sockets().length).toBe(1);
});

it.each(['', 'a b', 'a.b', 'a:b', 'a/b', '../a', '#(touch p)', 'ä', '%', 'x'.repeat(33), 5, null])(
  'WI1 the name %j is 400',
  async (name) => {
    await using world = new World();
    const { api } = await world.start();
    const answer = await api.send('POST', '/api/sessions', { name, cwd: world.taskDir('one') });
    expect(refusal(answer)).toBe('400 invalid_body');
  },
);

it('SE8 a session opens only in a directory below the roots, by its real path', async () => {
  await using world = new World();
  const { api } = await world.start();
  const tasks = join(world.root, 'tasks');
  const inside = world.taskDir('one');
  mkdirSync(join(world.root, 'tasks-evil'));
  writeFileSync(join(tasks, 'file'), '');
  symlinkSync(join(world.root, 'user'), join(tasks, 'way-out'));
  symlinkSync(inside, join(world.root, 'user', 'way-in'));
  const open = async (cwd: string) => {
    const answer = await api.send('POST', '/api/sessions', { name: 'web', cwd });
    if (answer.status !== 201) return refusal(answer);
    await api.send('DELETE', '/api/sessions/web');
    return answer.body['cwd'];
  };
  expect({
    inside: await open(inside),
    root: await open(tasks),
    wayIn: await open(join(world.root, 'user', 'way-in')),
    twin: await open(join(world.root, 'tasks-evil')),
    wayOut: await open(join(tasks, 'way-out')),
    dots: await open(`${tasks}/../user`),
    proc: await open('/proc/self/cwd'),
    system: await open('/'),
    missing: await open(join(tasks, 'none')),
    file: await open(join(tasks, 'file')),
    nul: await open(`${inside}\0`),
  }).toEqual({
    inside,
    root: tasks,
    wayIn: inside,
    twin: '400 outside_roots',
    wayOut: '400 outside_roots',
    dots: '400 outside_roots',
    proc: '400 outside_roots',
    system: '400 outside_roots',
    missing: '400 cwd_missing',
    file: '400 cwd_missing',
    nul: '400 cwd_missing',
  });
});

it.each(['#(touch pwned)', '#{pid}', '$(touch pwned)', '-x', 'a;touch pwned;', "it's", 'ünï 漢字'])(
  'SE3 a session works in a directory named %j',
  async (name) => {
    await using world = new World();
    const { api } = await world.start();
    const cwd = world.taskDir(name);
    await openShell(api, 'web', cwd);
    const file = join(world.root, 'pwd');
    expect(await runInShell(api, 'web', `pwd > ${file}.new; mv ${file}.new ${file}`, file)).toBe(
      `${cwd}\n`,
    );
    expect([cwd, world.root].some((directory) => existsSync(join(directory, 'pwned')))).toBe(false);
  },
);

it('WI1 closing a session ends everything in it; afterwards it is unknown', async () => {
  await using world = new World();
  const { api } = await world.start();
  const cwd = world.taskDir('one');
  await openShell(api, 'web', cwd);
  const pidFile = join(cwd, 'pid');
  const pid = await runInShell(api, 'web', `sh -c 'echo $$ > ${pidFile}; exec sleep 999'`, pidFile);
  const ended = await api.send('DELETE', '/api/sessions/web');
  expect(ended).toEqual({ status: 202, body: { status: 'closing' } });
  await until('the program has ended', () => !existsSync(`/proc/${pid.trim()}`));
  const again = await api.send('DELETE', '/api/sessions/web');
  expect([refusal(again), refusal(await api.get('/api/sessions/web'))]).toEqual([
    '404 session_unknown',
    '404 session_unknown',
  ]);
  expect((await api.event('session.closed')).data).toEqual({
    reason: 'requested',
    author: 'admin',
  });
});

it('WI1 a name is free again after its session has ended', async () => {
  await using world = new World();
  const { api } = await world.start();
  const cwd = world.taskDir('one');
  for (let round = 1; round <= 3; round += 1) {
    await api.openSession('web', cwd);
    await api.send('DELETE', '/api/sessions/web');
  }
  const types = (await api.events('&types=session.*')).map(({ type }) => type);
  expect(types).toEqual([1, 2, 3].flatMap(() => ['session.created', 'session.closed']));
});

it('WI1 a screen has as many rows as it says', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('one'));
  const { status, body } = await api.get('/api/sessions/web/screen');
  const { lines, cursor, ...rest } = body;
  expect({ status, ...rest, rows: (lines as string[]).length }).toEqual({
    status: 200,
    session: 'web',
    cols: 120,
    rows: 40,
    at: TIME,
  });
  expect(cursor).toEqual([0, expect.any(Number)]);
});

it('WI1 text without submit stays in the line; empty text with submit presses Enter', async () => {
  await using world = new World();
  const { api } = await world.start();
  const cwd = world.taskDir('one');
  await openShell(api, 'web', cwd);
  const file = join(cwd, 'said');
  const first = await typeInto(api, 'web', `echo one > said; mv said ${file}.ready`, false);
  const waiting = !existsSync(`${file}.ready`);
  const second = await typeInto(api, 'web', '', true);
  expect({ first, waiting, second }).toEqual({
    first: 'typed',
    waiting: true,
    second: 'typed',
  });
  await until('the line ran', () => existsSync(`${file}.ready`));
  expect(readFileSync(`${file}.ready`, 'utf8')).toBe('one\n');
});

it('WI1 without tmux a session is 501 terminal_unavailable and leaves no row', async () => {
  await using world = new World({ PATH: '/nowhere', LOOPWATCH_TERMINAL: 'tmux' });
  const { api } = await world.start();
  const body = { name: 'web', cwd: world.taskDir('one') };
  expect(refusal(await api.send('POST', '/api/sessions', body))).toBe('501 terminal_unavailable');
  expect((await api.get('/api/sessions')).body).toEqual({ sessions: [] });
});

it('SE1 the user’s own tmux is not touched, even when the daemon was started inside it', async () => {
  await using world = new World();
  const socket = join(world.root, 'run', 'mine');
  const tmux = async (...words: string[]) =>
    execFile('tmux', ['-S', socket, '-f', '/dev/null', ...words], { timeoutMs: 60_000 });
  await tmux('new-session', '-d', '-s', 'mine', 'exec sleep 1000');
  world.environment['TMUX'] = `${socket},1,0`;
  world.environment['TMUX_PANE'] = '%0';
  const { api } = await world.start();
  for (const name of ['a', 'b']) await api.openSession(name, world.taskDir(name));
  await api.send('DELETE', '/api/sessions/a');
  const format = '#{session_name} #{session_windows} #{buffer_name}';
  const mine = await tmux('list-sessions', '-F', format);
  expect(mine).toEqual({ ok: true, stdout: 'mine 1 \n' });
});
