/** The command line as scripts use it: exit codes, and a watch that outlives everything. */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { subjectRef } from '../../../shared/schema/events/subject.ts';
import { until } from '../../support/house/until.ts';
import { startWaitingLoop } from '../../support/auto/waiting-loop.ts';
import { WatchProcess } from '../../support/daemon/watch-process.ts';
import { World } from '../../support/daemon/world.ts';

it('CL1 ends with 3 without a daemon, 2 for unknown commands and options, 78 for bad settings', async () => {
  await using world = new World();
  const codes = await Promise.all([
    world.cli('status'),
    world.cli('auto', 'stop', 'web'),
    world.cli('stop'),
    world.cli('nonsense'),
    world.cli('watch', '--after', 'yesterday'),
    world.cli('auto', 'start', '.', '--max-iterations', 'many'),
    world.cli('--help'),
  ]);
  world.environment['PORT'] = 'seven';
  codes.push(await world.cli('start'));
  expect(codes.map(({ code }) => code)).toEqual([3, 3, 3, 2, 2, 2, 0, 78]);
});

it('CL1 ends with 4 for what does not exist and 1 for what is refused', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  await api.openSession('web', world.taskDir('web'));
  const codes = [
    await world.cli('auto', 'status', 'nobody'),
    await world.cli('auto', 'stop', 'web'),
    await world.cli('auto', 'lookup', '/nowhere'),
    await world.cli('auto', 'start', world.root, '--session', 'web'),
    await world.cli('watch', '--types', 'auto.nonsense', '--after', '0'),
  ];
  expect(codes.map(({ code }) => code)).toEqual([4, 4, 4, 1, 2]);
  expect(codes.at(3)?.stderr).toContain('outside_roots');
});

it('CL51 watch of a session that does not exist ends with 4, also after others', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  for (const names of ['nope', 'web,nope']) {
    const { code, stderr } = await world.cli('watch', '--session', names);
    expect([names, code, stderr]).toEqual([
      names,
      4,
      'loopwatch: no session named nope; list them with: loopwatch session ls (session_unknown)\n',
    ]);
  }
});

it('CL1 a second daemon ends with 75, one on a port in use with 73', async () => {
  await using world = new World();
  const first = await world.spawn();
  const second = await world.cli('start');
  expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 75, stdout: '' });
  expect(second.stderr).toContain(`pid ${first.process.pid ?? 0}`);
  await first.kill();
  await using taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' ? address?.port : 0;
  world.environment['PORT'] = String(port);
  const third = await world.cli('start');
  expect(third.code).toBe(73);
  expect(third.stderr).toContain(`:${port ?? 0} is in use`);
});

it('CL1 stop ends the daemon and says so', async () => {
  await using world = new World();
  const daemon = await world.spawn();
  const exited = once(daemon.process, 'exit');
  const { code, stdout } = await world.cli('stop');
  expect({ code, stdout, exit: await exited }).toEqual({
    code: 0,
    stdout: 'daemon stopped; sessions and agents keep running\n',
    exit: [0, null],
  });
  expect(existsSync(join(world.home, 'daemon.json'))).toBe(false);
});

it('WI7 a daemon that gets SIGTERM as soon as it listens ends cleanly', async () => {
  await using world = new World();
  const daemon = await world.spawn();
  const exited = once(daemon.process, 'exit');
  daemon.process.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

it('CL2 prints every event as JSON with its key', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  await startWaitingLoop(world, api);
  const watch = new WatchProcess(world, ['--json', '--after', '0']);
  const events = await api.events();
  await watch.printed(events.length);
  const epoch = String((await api.get('/api/status')).body['epoch']);
  expect(watch.events).toEqual(events.map((event) => ({ key: `${epoch}:${event.seq}`, ...event })));
  expect(await watch.end()).toBe(0);
});

it('CL2 keeps to its filters', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  await api.openSession('a', world.taskDir('a'));
  await api.openSession('b', world.taskDir('b'));
  await api.send('DELETE', '/api/sessions/a');
  await api.event('session.closed');
  const filter = ['--types', 'session.*', '--subject', 'session:a'];
  const watch = new WatchProcess(world, ['--json', '--after', '0', ...filter]);
  await watch.printed(2);
  expect(watch.events.map(({ type, session }) => `${session ?? ''} ${type}`)).toEqual([
    'a session.created',
    'a session.closed',
  ]);
});

it('CL2 starts at the newest event without a cursor', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const append = await startWaitingLoop(world, api);
  const file = join(world.root, 'cursor');
  const watch = new WatchProcess(world, ['--json', '--cursor-file', file]);
  await until('the watch has its place', () => existsSync(file));
  await append();
  await watch.printed(1);
  expect(watch.events.map(({ type }) => type)).toEqual(['auto.limits_changed']);
});

it('CL2 continues without a gap when the daemon is killed and comes back on another port', async () => {
  await using world = new World();
  const first = await world.spawn();
  const append = await startWaitingLoop(world, first.api);
  const watch = new WatchProcess(world, ['--json', '--after', '0']);
  await watch.printed(1);
  await append(20);
  await first.kill();
  const second = await world.spawn();
  expect(second.url).not.toBe(first.url);
  await second.api.send('PATCH', '/api/sessions/live/task-auto', { maxIterations: 500 });
  const events = await second.api.events();
  await watch.printed(events.length);
  expect(watch.events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq));
  expect(watch.stderr).toMatch(/the daemon does not answer; waiting for it\n.*reconnected/);
});

it('CL2 continues from its cursor file when the watch itself is killed', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const append = await startWaitingLoop(world, api);
  const file = join(world.root, 'cursor');
  const words = ['--json', '--after', '0', '--cursor-file', file];
  const first = new WatchProcess(world, words);
  await append(5);
  const early = (await api.events()).length;
  await first.printed(early);
  await until('the cursor is kept', () => cursorIn(file) === early);
  await first.end('SIGKILL');
  await append(5);
  const second = new WatchProcess(world, words);
  await second.printed(5);
  expect([...first.events, ...second.events].map(({ seq }) => seq)).toEqual(
    (await api.events()).map(({ seq }) => seq),
  );
});

it('CL2 says when its cursor is no longer kept, and continues from the newest event', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const append = await startWaitingLoop(world, api);
  const watch = new WatchProcess(world, ['--json', '--after', 'anotherlife:3']);
  await until('the notice', () => watch.stderr.includes('no longer kept (epoch)'));
  await append();
  await watch.printed(1);
  expect(watch.events.map(({ type }) => type)).toEqual(['auto.limits_changed']);
});

it('CL3 runs the command once per event, in order, with the event on stdin and in its environment', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const append = await startWaitingLoop(world, api);
  await append(5);
  const out = join(world.root, 'told');
  const summary =
    '$LOOPWATCH_EVENT_KEY $LOOPWATCH_EVENT_TYPE [$LOOPWATCH_EVENT_SUBJECT] [$LOOPWATCH_EVENT_SESSION]';
  const command = `{ echo "${summary} [$LOOPWATCH_EVENT_REASON]"; cat; } >> "${out}"`;
  const watch = new WatchProcess(world, ['--json', '--after', '0', '--exec', command]);
  const count = (await api.events()).length;
  await until('all are delivered', () => linesIn(out).length >= 2 * count);
  await append();
  await watch.printed(count + 1);
  await until('the last is delivered', () => linesIn(out).length >= 2 * count + 2);
  expect(linesIn(out)).toEqual(
    watch.events.flatMap((event) => [
      `${event.key} ${event.type} [${subjectRef(event.subject)}] [${event.session ?? ''}] []`,
      JSON.stringify(event),
    ]),
  );
  expect(await watch.end()).toBe(0);
});

it('CL3 retries a failed command before the next event, and keeps the cursor after the last success', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  await startWaitingLoop(world, api);
  const [out, file, ok] = ['told', 'cursor', 'ok'].map((name) => join(world.root, name));
  const events = await api.events();
  const command =
    `echo "$LOOPWATCH_EVENT_KEY" >> "${out ?? ''}"; ` +
    `[ "$LOOPWATCH_EVENT_TYPE" != auto.started ] || [ -e "${ok ?? ''}" ]`;
  const words = ['--after', '0', '--cursor-file', file ?? '', '--exec', command];
  const watch = new WatchProcess(world, words);
  await until('the failure is reported', () => watch.stderr.includes('the command exited with 1'));
  const failing = events.find(({ type }) => type === 'auto.started')?.seq ?? 0;
  expect(cursorIn(file ?? '')).toBe(failing - 1);
  writeFileSync(ok ?? '', '');
  await until('the rest is delivered', () => cursorIn(file ?? '') === events.length);
  const seqs = linesIn(out ?? '').map((key) => Number(key.split(':')[1]));
  expect(seqs).toEqual(events.flatMap(({ seq }) => (seq === failing ? [seq, seq] : [seq])));
  expect(await watch.end()).toBe(0);
});

it('CL4 auto start opens a session named after the directory and prints it', async () => {
  await using world = new World();
  world.writeProgram('claude', 'exec sleep 100000');
  const { api } = await world.spawn();
  const directory = world.taskDir('my task');
  const { code, stdout } = await world.cli('auto', 'start', directory);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `my-task: running on ${directory}\n` });
  expect(await api.loop('my-task')).toMatchObject({ status: 'running', task_dir: directory });
});

it('CL4 auto start takes another name when the first is taken', async () => {
  await using world = new World();
  world.writeProgram('claude', 'exec sleep 100000');
  const { api } = await world.spawn();
  const directory = world.taskDir('web');
  await api.openSession('web', directory);
  const { stdout } = await world.cli('auto', 'start', directory);
  expect(stdout).toBe(`web-2: running on ${directory}\n`);
});

it('CL4 auto start leaves no session behind when the loop cannot start', async () => {
  const missing = { LOOPWATCH_CLAUDE: 'no-such-agent', LOOPWATCH_START_TIMEOUT_MS: '300' };
  await using world = new World(missing);
  const { api } = await world.spawn();
  const { code } = await world.cli('auto', 'start', world.taskDir('web'));
  expect(code).toBe(1);
  expect((await api.get('/api/sessions')).body).toEqual({ sessions: [] });
});

function linesIn(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

function cursorIn(file: string): number {
  return existsSync(file) ? Number(readFileSync(file, 'utf8').trim().split(':')[1]) : 0;
}
