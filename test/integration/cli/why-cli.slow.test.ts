/** Why, history and restart from the shell: the output, and how each command ends. */
import { expect, it } from 'vitest';
import { timeIn } from '../../../server/cli/print/time-text.ts';
import { type Why, whyLines } from '../../../server/cli/print/print-why.ts';
import { pastLoopLines } from '../../../server/cli/print/print-loops.ts';
import type { PastLoop } from '../../../shared/schema/loops/past-loop.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const REPORT = { step: 'report', result: '(generated)', next: '(stop)' };
const step = (signal: object, work_ms = 300) => ({ do: 'step', work_ms, signal });
const LONG = step(CHECK, 600_000);
const CRASH = { do: 'crash', code: 1 };
const ASK = { do: 'ask', command: 'rm -r build' };

async function startLoop(world: World, api: ApiClient, name: string, steps: object[]) {
  const directory = world.taskDir(name, { after: 'exit', steps });
  await api.openSession(name, directory);
  const { status, body } = await api.startLoop(name, directory);
  expect({ name, status, body }).toMatchObject({ status: 201 });
}

async function why(world: World, session: string): Promise<{ why: Why; text: string }> {
  const printed = await world.cli('why', session);
  const json = await world.cli('why', session, '--json');
  expect([printed.code, printed.stderr, json.code]).toEqual([0, '', 0]);
  return { why: JSON.parse(json.stdout) as Why, text: printed.stdout };
}

it('CL10 why shows a running loop, and one that waits for permission with what answers it', async () => {
  await using world = new World();
  const { api } = await world.start();
  await startLoop(world, api, 'busy', [step(CHECK), LONG]);
  await startLoop(world, api, 'asks', [step(CHECK), ASK, LONG]);
  await until('an iteration', async () => (await api.loop('busy')).iteration === 1);
  const busy = await why(world, 'busy');
  expect(busy.why).toMatchObject({ is_open: true, loop: { status: 'running', wait: null } });
  expect(busy.text).toMatch(/^busy: Running since \S+ \(0:\d\d ago\)\n {2}Not waiting on anything/);
  expect(busy.text).toMatch(/^iteration {2}1 of 20, .* of 30:00$/m);
  expect(busy.text).toMatch(/^signal {5}check PASS, next exec, \S+ \(0:\d\d ago\)$/m);
  expect(busy.text).toMatch(/^ {2}loopwatch loop stop busy$/m);

  await until('it asks', async () => (await api.loop('asks')).wait !== null);
  const asks = await why(world, 'asks');
  expect(asks.why.loop?.wait?.evidence).not.toEqual([]);
  expect(asks.text).toMatch(
    /^asks: Running\n {2}Permission, since \S+ \(0:\d\d ago\), no end time/,
  );
  expect(asks.text).toMatch(/^ {2}Next: ./m);
  expect(asks.text).toMatch(/^Evidence\n {2}its \S.*ago\)\n {4}\| /m);
  expect(asks.text).toMatch(/^Needs attention\n {2}[0-9a-f]{20} {2}asks/m);
});

it('CL10 CL56 LP25 why shows how a loop failed or ended, also after its session was closed', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const { api } = await world.start();
  await startLoop(world, api, 'broken', [step(CHECK), CRASH]);
  await api.event('auto.failed');
  const broken = await why(world, 'broken');
  expect(broken.why).toMatchObject({ loop: { status: 'failed' }, last_run: { outcome: 'failed' } });
  expect(broken.text).toMatch(/^broken: Failed since \S+ \(0:\d\d ago\)\n {2}Crashed too often: /);
  expect(broken.text).toMatch(/^ {4}\| process \d+ has ended$/m);
  expect(broken.text).toMatch(
    /^Evidence\n {2}its screen, .*\n(?: {4}\| .*\n)* {4}\| .*esc to interrupt$/m,
  );
  expect(broken.why.loop?.stop_evidence[0]).toMatchObject({ witness: 'screen' });
  expect(broken.text).toMatch(/^ {2}loopwatch loop restart broken$/m);
  const [item = ''] = (await world.cli('attention')).stdout.split('\n\n');
  expect(item).toMatch(/ broken {2}for .*\n {2}Crashed too often: The loop failed\n/);
  expect(item.split('\n')).toContain('  loopwatch loop restart broken');

  await startLoop(world, api, 'done', [step(CHECK), step(REPORT)]);
  await api.event('auto.ended');
  const done = await why(world, 'done');
  expect(done.text).toMatch(/^done: No loop\n {2}Last loop ended .*\n {2}Completed\n/);
  expect(done.text).toMatch(/^ {4}\| report \(generated\), next \(stop\)$/m);
  const again = `  loopwatch loop start '${world.taskDir('done')}' --session done`;
  expect(done.text.split('\n')).toContain(again);
  await api.send('DELETE', '/api/sessions/done');
  await until('it is gone', async () => (await api.get('/api/sessions/done')).status === 404);
  expect((await why(world, 'done')).text).toMatch(/^done: No loop, session closed\n/);
});

it('CL21 why exits with 0 without a loop, 4 for a session that never existed, 3 without a daemon', async () => {
  await using world = new World();
  const { api, daemon } = await world.start();
  await api.openSession('idle', world.taskDir('idle'));
  const idle = await why(world, 'idle');
  expect(idle.why).toMatchObject({ loop: { status: 'stopped' }, last_run: null, attention: [] });
  expect(idle.text).toMatch(/^idle: No loop\n {2}No past loop in the log\.\n/);
  for (const name of ['nobody', 'no/../body']) {
    const { code, stderr } = await world.cli('why', name);
    expect([name, code, stderr]).toEqual([name, 4, expect.stringContaining('session_unknown')]);
  }
  await daemon.close();
  expect((await world.cli('why', 'idle')).code).toBe(3);
});

it('CL55 CL21 each verb of a loop answers an unknown name with 4, and speaks of loops', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('idle', world.taskDir('idle'));
  for (const verb of ['show', 'stop', 'restart', 'why', 'history']) {
    for (const name of ['ghost', 'no/../body']) {
      const { code, stdout, stderr } = await world.cli('loop', verb, name);
      expect([verb, name, code, stdout]).toEqual([verb, name, 4, '']);
      expect(stderr).toMatch(/^loopwatch: no loop named ".*"; list loops with: loopwatch loop ls/);
    }
  }
  expect((await world.cli('loop', 'history', 'idle')).code).toBe(0);
  const stop = await world.cli('loop', 'stop', 'idle');
  expect([stop.code, stop.stderr]).toEqual([4, expect.stringMatching(/: loopwatch loop ls \(no_/)]);
  const start = await world.cli('loop', 'start', world.taskDir('idle'), '--session', 'ghost');
  expect(start.stderr).toContain('no session named ghost; list them with: loopwatch session ls');
  const task = await world.cli('task', 'show', 'ghost');
  expect(task.stderr).toContain('no task named ghost; list them with: loopwatch task ls');
});

it('CL11 PG14 history is a table of loops, restart starts a failed one again', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const { api } = await world.start();
  expect((await world.cli('loop', 'history')).stdout).toBe('no loops in the log\n');
  await startLoop(world, api, 'web', [step(CHECK), CRASH]);
  await api.event('auto.failed');
  const failed = await why(world, 'web');
  expect(failed.text).toMatch(/\nAbout restart_limit: http:\S+\/help#restart_limit\n$/);
  world.taskDir('web', { steps: [LONG] });
  const limits = ['--max-iterations', '5', '--minutes', '8'];
  const again = await world.cli('restart', 'web', ...limits);
  expect(again).toEqual({
    code: 0,
    stderr: '',
    stdout: `web: running on ${world.taskDir('web')}\n`,
  });
  expect(await api.loop('web')).toMatchObject({ max_iterations: 5, timeout_minutes: 8 });
  const busy = await world.cli('restart', 'web');
  expect([busy.code, busy.stderr]).toEqual([1, expect.stringContaining('(session_busy)')]);
  const { stdout } = await world.cli('loop', 'history', 'web');
  const [head, first, second, ...rest] = stdout.trimEnd().split('\n');
  expect(head).toMatch(
    /^started +session +outcome +iterations +length +working +waiting +for quota/i,
  );
  expect([first, second]).toEqual([
    expect.stringMatching(/ web +(Starting|Working) +\d+ +0:\d\d/),
    expect.stringMatching(/ web +Failed: Crashed too often +1 +0:\d\d/),
  ]);
  expect(rest).toEqual([]);
  const json = await world.cli('loop', 'history', '--json', '--limit', '1');
  expect(JSON.parse(json.stdout)).toMatchObject([{ session: 'web', ended_at: null }]);
  const codes = [];
  for (const words of [
    ['--limit', '0'],
    ['--limit', 'x'],
    ['--limit', '201'],
  ]) {
    codes.push((await world.cli('loop', 'history', ...words)).code);
  }
  expect([...codes, (await world.cli('restart', 'nobody')).code]).toEqual([2, 2, 2, 4]);
});

it('CL10 nothing an agent wrote reaches the terminal raw', () => {
  const evil = 'x\u001b[2J\u202ey\nz';
  const at = '2026-01-01T00:00:00.000Z';
  const run: PastLoop = {
    run_id: null,
    session: 'web',
    task_dir: evil,
    agent: null,
    started_at: at,
    ended_at: at,
    outcome: 'failed',
    reason: 'crashed',
    unproven: null,
    error: evil,
    iterations: 1,
    evidence: [{ witness: 'screen', at, lines: [evil] }],
    restart_count: 0,
    recovery_count: 0,
    complete: false,
    current_share: null,
    waits_for: null,
    seconds: { working: 3_600, waiting: 0, quota: 0, recovering: 60 },
  };
  const agent = {
    state: 'waiting' as const,
    cause: 'dialog' as const,
    detail: evil,
    until: null,
    witness: 'screen' as const,
    since: at,
  };
  const base = { session: 'web', is_open: true, loop: null, agent, last_run: run, attention: [] };
  const time = timeIn({ utc: true });
  const text = [
    ...whyLines(base, Date.parse(at) + 5_000, time),
    ...pastLoopLines([run], time),
  ].join('\n');
  expect(['\u001b', '\u202e'].filter((unseen) => text.includes(unseen))).toEqual([]);
  expect(text).toContain('1:01:00: 1:00:00 working, 1:00 recovering');
  expect(text).toContain('2026-01-01T00:00:00Z*');
});
