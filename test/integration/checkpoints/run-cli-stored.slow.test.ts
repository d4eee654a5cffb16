/** `loopwatch run …` on stored sessions without a daemon, and what a daemon says of them. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { saveCheckpoint } from '../../../server/checkpoints/save-checkpoint.ts';
import { lockSession } from '../../../server/checkpoints/session-lock.ts';
import { Checkpoint } from '../../../shared/schema/runs/checkpoint.ts';
import { World } from '../../support/daemon/world.ts';

const HOUR_MS = 3_600_000;

/** Writes a session that was saved `hours` ago. */
function store(world: World, id: string, more: object = {}, hours = 1): void {
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  const at = new Date(Date.now() - hours * HOUR_MS).toISOString();
  const session = Checkpoint.parse({
    version: 1,
    session_id: id,
    checkpoint_time: at,
    original_start_time: at,
    phase: 'execute',
    working_dir: world.taskDir('project'),
    prompt: 'Fix it\u001b[31m',
    ...more,
  });
  saveCheckpoint(world.home, session);
}

function damage(world: World, id: string): void {
  store(world, id);
  writeFileSync(join(world.home, 'sessions', id, 'checkpoint.json'), '{"version": 1,');
}

it('RU8 RU9 a list without a daemon marks what is stale or lost, and one corrupt hides nothing', async () => {
  await using world = new World();
  const empty = await world.cli('run', 'ls');
  expect(empty).toEqual({ code: 0, stdout: 'no runs\n', stderr: '' });
  store(world, 'done-1', { phase: 'complete', completed_at: '2026-01-01T00:00:00Z' });
  store(world, 'old-1', {}, 25);
  store(world, 'lost-1', { working_dir: join(world.root, 'gone') }, 2);
  damage(world, 'bad-1');
  const { code, stdout, stderr } = await world.cli('run', 'ls');
  expect(code).toBe(0);
  expect(stderr).toBe('loopwatch: bad-1: Checkpoint is corrupt: it is not complete JSON\n');
  const rows = stdout.trimEnd().split('\n').slice(1);
  expect(rows.map((row) => row.split(/\s+/)[0])).toEqual(['done-1', 'lost-1', 'old-1']);
  expect(rows[1]).toContain('directory missing');
  expect(rows[2]).toContain('stale');
  expect(stdout).not.toContain('\u001b');
  const stopped = await world.cli('run', 'ls', '--status', 'stopped', '-q');
  expect(stopped.stdout).toBe('lost-1\nold-1\n');
  const parsed = JSON.parse((await world.cli('run', '--json')).stdout) as { stale: boolean }[];
  expect(parsed.map(({ stale }) => stale)).toEqual([false, false, true]);
});

it('RU9 the newest start comes first, with a daemon and without one', async () => {
  await using world = new World();
  const starts = { a: '02:00', b: '03:00', c: '01:00', d: '03:00' };
  Object.entries(starts).forEach(([id, start], index) => {
    store(world, id, {
      original_start_time: `2026-01-02T${start}:00.000Z`,
      checkpoint_time: `2026-01-02T05:00:0${index}.000Z`,
    });
  });
  const ids = async () => (await world.cli('run', 'ls', '-q')).stdout.trim().split('\n');
  const alone = await ids();
  // Of those that started together, the one that was saved last.
  expect(alone).toEqual(['d', 'b', 'a', 'c']);
  await world.start();
  expect(await ids()).toEqual(alone);
});

it('RU9 a cleanup without a daemon shows what it would do, then does only that', async () => {
  await using world = new World();
  store(world, 'done-1', { phase: 'complete' });
  store(world, 'done-2', { phase: 'complete' }, 200);
  store(world, 'stopped-1', { force_stopped: true });
  store(world, 'old-1', {}, 25);
  store(world, 'old-2', {}, 26);
  damage(world, 'bad-1');
  const has = (id: string) => existsSync(join(world.home, 'sessions', id));
  for (const words of [[], ['--include-stopped'], ['--completed', '--older-than', 'soon']]) {
    expect((await world.cli('run', 'cleanup', ...words)).code).toBe(2);
  }
  const week = ['run', 'cleanup', '--completed', '--older-than', '7d'];
  const dry = await world.cli(...week, '--dry-run');
  expect(dry.stdout).toBe('done-2  completed\n1 run would be removed\n');
  expect(has('done-2')).toBe(true);
  expect((await world.cli(...week)).stdout).toBe('done-2  completed\n1 run removed\n');
  expect([has('done-2'), has('done-1')]).toEqual([false, true]);
  const release = lockSession(world.home, 'old-1', Date.now());
  const rest = await world.cli('run', 'cleanup', '--stale', '--corrupt', '--json');
  release();
  expect(JSON.parse(rest.stdout)).toMatchObject({ dry_run: false, kept: [] });
  const kept = ['old-1', 'old-2', 'bad-1', 'stopped-1', 'done-1'].map(has);
  expect(kept).toEqual([true, false, false, true, true]);
});

it('RU3 RU10 each thing that is wrong with a stored run has its message and its code', async () => {
  await using world = new World();
  store(world, 'alpha-1');
  store(world, 'alpha-2');
  damage(world, 'bad-1');
  symlinkSync(world.root, join(world.home, 'sessions', 'link-1'));
  const newer = join(world.home, 'sessions', 'newer-1');
  mkdirSync(newer);
  writeFileSync(join(newer, 'checkpoint.json'), '{"version": 2}');
  const end = async (...words: string[]) => {
    const { code, stdout, stderr } = await world.cli('run', ...words);
    return [code, stdout, stderr];
  };
  const said = (text: string): unknown => expect.stringContaining(text);
  expect(await end('show', 'ghost')).toEqual([
    3,
    '',
    said('Session not found: "ghost"; list them'),
  ]);
  expect(await end('show', '../x')).toEqual([3, '', said('Session not found')]);
  expect(await end('show', 'alpha')).toEqual([3, '', said('2 runs begin with "alpha"')]);
  expect((await end('show', 'alpha-1'))[0]).toBe(0);
  expect(await end('show', 'bad')).toEqual([6, '', said('Delete the session and start again')]);
  expect(await end('show', 'newer')).toEqual([6, '', said('Update Loopwatch')]);
  expect(await end('show', 'link')).toEqual([6, '', said('Move it away')]);
  const archive = join(world.root, 'a.tar.gz');
  expect((await end('export', 'alpha-1', archive))[0]).toBe(0);
  expect(await end('export', 'alpha-1', archive)).toEqual([1, '', said('exists')]);
  expect(await end('import', archive)).toEqual([1, '', said('Choose another id')]);
  writeFileSync(archive, 'no archive');
  expect(await end('import', archive, '--as', 'b')).toEqual([
    6,
    '',
    said('no archive of a session'),
  ]);
  expect(await end('import', join(world.root, 'none'))).toEqual([3, '', said('does not exist')]);
  expect(existsSync(join(world.home, 'sessions', 'b'))).toBe(false);
});

it('RU3 a stale run, a lost directory and a damaged file stop a resume, each with its code', async () => {
  await using world = new World();
  await world.spawn();
  store(world, 'old-1', {}, 25);
  store(world, 'lost-1', { working_dir: join(world.root, 'tasks', 'gone') });
  damage(world, 'bad-1');
  const old = await world.cli('run', 'resume', 'old');
  expect([old.code, old.stdout]).toEqual([4, '']);
  expect(old.stderr).toContain('Session is stale');
  expect(old.stderr).toContain('--force');
  const lost = await world.cli('run', 'resume', 'lost-1');
  expect([lost.code, lost.stdout]).toEqual([5, '']);
  expect(lost.stderr).toContain('Working directory not found');
  expect((await world.cli('run', 'resume', 'bad-1')).code).toBe(6);
  expect((await world.cli('run', 'do it now', '--cwd', 'gone')).code).toBe(5);
  expect((await world.cli('run', 'resume', 'ghost')).code).toBe(3);
  // Nothing was lost on the way.
  const ids = (await world.cli('run', 'ls', '-q')).stdout.trim().split('\n');
  expect(ids.sort()).toEqual(['lost-1', 'old-1']);
});

it('RU10 the shell completes verbs and the ids of stored runs without a daemon', async () => {
  await using world = new World();
  store(world, 'alpha-1');
  store(world, 'beta-1');
  const ids = await world.cli('__complete', '--', 'run', 'show', 'al');
  expect(ids.stdout).toBe('alpha-1\tFix it\\u{1b}[31m\n');
  const verbs = await world.cli('__complete', '--', 'run', 'c');
  expect(verbs.stdout).toContain('cleanup\t');
  const values = await world.cli('__complete', '--', 'run', 'ls', '--status', 'fa');
  expect(values.stdout.trim()).toBe('failed');
});

it('RU3 RU9 a directory that cannot be written is said, and nothing is lost', async () => {
  await using world = new World();
  store(world, 'done-1', { phase: 'complete' });
  const file = join(world.home, 'sessions', 'done-1', 'checkpoint.json');
  const before = readFileSync(file, 'utf8');
  const closed = join(world.root, 'closed');
  writeFileSync(closed, '');
  chmodSync(closed, 0o400);
  const ended = await world.cli('run', 'export', 'done-1', join(closed, 'a.tar.gz'));
  expect([ended.code === 0, ended.stdout]).toEqual([false, '']);
  expect(ended.stderr).toMatch(/^loopwatch: \S/);
  expect(readFileSync(file, 'utf8')).toBe(before);
});
