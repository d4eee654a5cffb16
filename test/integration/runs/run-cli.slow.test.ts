/** `loopwatch run …` with a real daemon, real git and the stand-in as the agent. */
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../support/git/git-repository.ts';
import { phasedScript, RunHome } from '../../support/runs/run-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

async function home(world: World): Promise<RunHome> {
  const { api } = await world.spawn();
  return new RunHome(world, api);
}

/** The keys of events, in the order in which they were printed. */
function keysOf(stdout: string): number[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => (JSON.parse(line) as { seq: number }).seq);
}

it('RU1 RU4 a prompt starts a run; in a pipe it is shown line by line until it is done', async () => {
  await using world = new World();
  const runs = await home(world);
  const test = 'test -f stand-in-1.md';
  const words = ['run', phasedScript(), '--cwd', runs.repository, '--test', test];
  const { code, stdout, stderr } = await world.cli(...words);
  expect([code, stderr]).toEqual([0, '']);
  const places = [
    'created',
    ': Plan\n',
    ': Execute\n',
    ': Review\n',
    `Test “${test}”`,
    'ended (done)',
  ];
  const found = places.map((text) => stdout.indexOf(text));
  expect(found).not.toContain(-1);
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^\S+ done, verified: .* run report \S+$/);
});

it('RU4 the events of a run are lines of JSON; a failed one ends with 1, its reason and the next step', async () => {
  await using world = new World();
  const runs = await home(world);
  const words = ['run', 'start', phasedScript(), '--cwd', runs.repository, '--json'];
  const ended = await world.cli(...words, '--test', 'echo never; false', '--max-fix', '0');
  expect(ended.code).toBe(1);
  const events = ended.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; key: string; data: { run: string } });
  expect(new Set(events.map(({ data }) => data.run)).size).toBe(1);
  expect(events[0]).toMatchObject({ type: 'run.created' });
  expect(events.some(({ type }) => type === 'run.done')).toBe(true);
  expect(ended.stderr).toMatch(/failed, Fix limit.*resume it: loopwatch run resume/is);
});

it('RN33 RU3 a run started with --merge-into ends with 0 once merged, else with 1 and why', async () => {
  await using world = new World();
  const runs = await home(world);
  const branch = git(runs.repository, 'symbolic-ref', '--short', 'HEAD');
  const words = ['run', phasedScript(), '--cwd', runs.repository, '--merge-into'];
  const left = await world.cli(...words, branch, '--no-tests');
  expect([left.code, left.stderr]).toEqual([
    1,
    expect.stringMatching(
      /done, unverified, but not merged into .*nothing proves it.*; merge it: /,
    ),
  ]);
  const [id = ''] = (await world.cli('run', 'ls', '-q')).stdout.split('\n');
  expect((await world.cli('run', 'show', id)).stdout).toMatch(/^ {2}merge {3}not merged: /m);
  // Later: where the branch has the work of a run, the next one finds nothing to do.
  const merged = await world.cli(...words, branch, '--test', 'test -f stand-in-1.md');
  expect([merged.code, merged.stderr]).toEqual([0, '']);
  expect(merged.stdout.trimEnd().split('\n').at(-1)).toContain(
    `done, verified, merged into ${branch}:`,
  );
  const refused = await world.cli(...words, 'nowhere');
  expect([refused.code, refused.stdout]).toEqual([3, '']);
  expect(refused.stderr).toMatch(/merge_into: .* has no branch nowhere; .*\(branch_missing\)/);
});

it('RU5 a detached run is only an id; Ctrl-C leaves a followed run alone', async () => {
  await using world = new World();
  const runs = await home(world);
  const script = phasedScript('in execute turn 1 hang');
  const words = ['run', script, '--cwd', runs.repository, '--no-tests', '--detach'];
  const { code, stdout } = await world.cli(...words);
  const id = stdout.trim();
  expect([code, existsSync(join(world.home, 'sessions', id))]).toEqual([0, true]);
  await runs.sees(
    id,
    'executes',
    ({ phase, process_pid }) => phase === 'execute' && process_pid !== null,
  );
  const child = world.run(['run', 'follow', id, '--after', '0']);
  let seen = '';
  let said = '';
  child.stdout?.on('data', (data: Buffer) => (seen += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (said += data.toString()));
  await until('the run is shown', () => seen.includes('Execute'));
  child.kill('SIGINT');
  const [ended] = (await once(child, 'close')) as [number | null];
  expect(ended).toBe(130);
  expect(said).toContain(`loopwatch run follow ${id}; stop it: loopwatch run stop ${id}`);
  expect((await runs.get(id)).status).toBe('running');
});

it('RU4 RU11 a follower survives kill -9 of the daemon and prints no event twice', async () => {
  await using world = new World();
  const daemon = await world.spawn();
  const runs = new RunHome(world, daemon.api);
  const { id } = await runs.start(['in execute turn 1 hang']);
  await runs.sees(
    id,
    'executes',
    ({ phase, process_pid }) => phase === 'execute' && process_pid !== null,
  );
  const child = world.run(['run', 'follow', id, '--after', '0', '--json']);
  let seen = '';
  let said = '';
  child.stdout?.on('data', (data: Buffer) => (seen += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (said += data.toString()));
  await until('events are printed', () => seen.includes('run.phase'));
  await daemon.kill();
  await until('the loss is said', () => said.includes('waiting for it'));
  runs.api = (await world.spawn()).api;
  await until('it is back', () => said.includes('reconnected'));
  const closed = once(child, 'close');
  const stopped = await world.cli('run', 'stop', id.slice(0, -1), '--reason', 'enough');
  expect([stopped.code, stopped.stderr]).toEqual([0, '']);
  const [code] = (await closed) as [number | null];
  expect(code).toBe(1);
  expect(said).toContain(`${id} stopped`);
  const keys = keysOf(seen);
  expect(keys).toEqual([...new Set(keys)].sort((one, other) => one - other));
  expect(seen).toContain('run.done');
});

it('RU7 a plan is read, edited in the editor of the person, and accepted', async () => {
  await using world = new World();
  const runs = await home(world);
  const words = ['run', phasedScript(), '--cwd', runs.repository, '--no-tests', '--review-plan'];
  const id = (await world.cli(...words, '--detach')).stdout.trim();
  await runs.until(id, 'waiting');
  const read = await world.cli('run', 'plan', id);
  expect([read.code, read.stdout.includes('- [ ]')]).toEqual([0, true]);
  const failing = await world.cliWith({ EDITOR: 'false' }, 'run', 'plan', id, '--edit');
  expect([failing.code, failing.stdout]).toEqual([1, '']);
  const same = await world.cliWith({ EDITOR: 'true' }, 'run', 'plan', id, '--edit');
  expect(same.stdout).toContain('plan unchanged');
  world.writeProgram('pen', `printf -- '- [ ] Greet in Latin\\n' > "$1"`);
  const edited = await world.cliWith({ EDITOR: 'pen' }, 'run', 'plan', id, '--edit');
  expect([edited.code, edited.stderr]).toEqual([0, '']);
  expect((await world.cli('run', 'plan', id)).stdout).toBe('- [ ] Greet in Latin\n');
  expect((await world.cli('run', 'accept', id)).code).toBe(0);
  expect((await world.cli('run', 'follow', id)).code).toBe(0);
});

it('RU11 what a run made is shown, merged and deleted; its work stays', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start([], { test_commands: ['test -f stand-in-fix-1.md'] });
  const run = await runs.until(id, 'done');
  const commit = git(runs.repository, 'rev-parse', run.branch ?? '');
  await runs.sees(id, 'has a report', ({ has_report }) => has_report);
  expect((await world.cli('run', 'diff', id, '--stat')).stdout).toContain('stand-in-fix-1.md');
  const round = await world.cli('run', 'diff', id, '--round', '1', '--raw');
  expect(round.stdout).toContain('+++ b/stand-in-fix-1.md');
  expect((await world.cli('run', 'report', id)).stdout).toContain('Greet by name.');
  const again = await world.cli('run', 'resume', id);
  expect([again.code, again.stdout]).toEqual([1, '']);
  git(runs.repository, 'branch', 'release');
  const merged = await world.cli('run', 'merge', id, '--into', 'release', '--squash');
  expect([merged.code, merged.stderr]).toEqual([0, '']);
  expect(git(runs.repository, 'ls-tree', '--name-only', 'release')).toContain('stand-in-fix-1.md');
  const removed = await world.cli('run', 'rm', id);
  expect([removed.code, removed.stderr]).toEqual([0, '']);
  expect((await world.cli('run', 'show', id)).code).toBe(3);
  // A squash leaves no branch that has the commits themselves.
  expect(removed.stdout).toContain('saved as refs/loopwatch/backup/');
  const refs = git(runs.repository, 'for-each-ref', '--contains', commit);
  expect(refs).not.toBe('');
});

it('RU11 a stopped run is resumed from a phase, also after its words', async () => {
  await using world = new World();
  const runs = await home(world);
  const script = ['in execute turn 1 hang', 'in execute turn 2 say Done.'];
  const { id } = await runs.start(script, { test_commands: [] });
  await runs.sees(id, 'is heard', (run) => run.conversations.execute !== null);
  const sent = await world.cli('run', 'input', id, 'use Latin');
  expect([sent.code, sent.stderr]).toEqual([0, '']);
  expect((await world.cli('run', 'stop', id, '--reason', 'lunch')).code).toBe(0);
  await runs.until(id, 'stopped');
  const shown = await world.cli('run', 'show', id);
  expect(shown.stdout).toContain(`loopwatch run resume ${id}`);
  const resumed = await world.cli('run', 'resume', id);
  expect([resumed.code, resumed.stderr]).toEqual([0, '']);
  expect((await runs.get(id)).status).toBe('done');
});

it('RN35 RU9 RU10 an export of a run is imported by a home without a daemon, and resumed there', async () => {
  await using world = new World();
  await using other = new World();
  const runs = await home(world);
  const limits = { max_minutes: 45, max_tokens: 9_000 };
  const { id } = await runs.start(['in execute turn 1 hang'], { test_commands: [], ...limits });
  await runs.sees(id, 'is heard', (run) => run.conversations.execute !== null);
  await world.cli('run', 'stop', id);
  await runs.sees(id, 'has a report', ({ has_report }) => has_report);
  const file = join(world.root, 'run.tar.gz');
  expect((await world.cli('run', 'export', id, file)).code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const taken = await other.cli('run', 'import', file, '--as', 'taken');
  expect([taken.code, taken.stderr]).toEqual([0, '']);
  expect(taken.stdout).toMatch(
    /at most 6 fix rounds, .* of work, 9000 output tokens \(as before\)/,
  );
  const shown = await other.cli('run', 'show', 'tak', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    id: 'taken',
    status: 'stopped',
    phase: 'execute',
    limits_from: 'checkpoint',
    options: limits,
  });
  const [plan, report] = [
    await other.cli('run', 'plan', 'tak'),
    await other.cli('run', 'report', 'tak'),
  ];
  expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining('- [')]);
  expect([report.code, report.stdout]).toEqual([0, expect.stringContaining('## Outcome')]);
  expect(readFileSync(join(other.home, 'sessions', 'taken', 'checkpoint.json'), 'utf8')).toContain(
    'Greet by name.',
  );
});
