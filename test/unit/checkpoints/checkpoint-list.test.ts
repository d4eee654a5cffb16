/** The list of stored sessions, what a cleanup chooses from it, and what it remembers. */
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isStale, isValid, STALE_AFTER_MS } from '../../../server/checkpoints/can-resume.ts';
import { cleanUp } from '../../../server/checkpoints/clean-up.ts';
import { listCheckpoints } from '../../../server/checkpoints/list-checkpoints.ts';
import { type CleanupOptions, planCleanup } from '../../../server/checkpoints/plan-cleanup.ts';
import { saveCheckpoint } from '../../../server/checkpoints/save-checkpoint.ts';
import { lockSession } from '../../../server/checkpoints/session-lock.ts';
import { toIso } from '../../../server/lib/clock.ts';
import {
  checkpoint,
  failureOf,
  LEAST,
  namesBelow,
  newHome,
  NOW_MS,
  putCheckpoint,
} from '../../support/runs/checkpoint-home.ts';

const HOUR_MS = 3_600_000;

/** As old as this, in milliseconds. */
function aged(id: string, ageMs: number, fields: object = {}) {
  return { ...LEAST, session_id: id, checkpoint_time: toIso(NOW_MS - ageMs), ...fields };
}

it('CK9 no sessions are an empty list, and listing creates nothing', async () => {
  const home = newHome();
  expect(await listCheckpoints(home, NOW_MS)).toEqual({ sessions: [], problems: [] });
  expect(namesBelow(home)).toEqual([]);
});

it('CK9 B4-2 G-34 sessions are listed newest first, and a damaged one hides none', async () => {
  const home = newHome();
  for (const [id, ageMs] of [
    ['b', 2_000],
    ['a', 1_000],
    ['c', 3_000],
  ] as const) {
    putCheckpoint(home, id, aged(id, ageMs, { prompt: `do ${id}`, usage: { cost_usd: 1.5 } }));
  }
  putCheckpoint(home, 'damaged', '{"version":');
  putCheckpoint(home, 'newer', { ...LEAST, version: 7 });
  mkdirSync(join(home, 'sessions/empty'));
  mkdirSync(join(home, 'sessions/fifo/checkpoint.json'), { recursive: true });
  symlinkSync(join(home, 'sessions/a'), join(home, 'sessions/link'));
  putCheckpoint(home, 'foreign', aged('foreign', 0));
  chownSync(join(home, 'sessions/foreign/checkpoint.json'), 12_345, 12_345);
  writeFileSync(join(home, 'sessions/file'), 'no session');
  mkdirSync(join(home, 'sessions/.hidden'));
  const { sessions, problems } = await listCheckpoints(home, NOW_MS);
  expect(sessions.map(({ session_id }) => session_id)).toEqual(['a', 'b', 'c']);
  expect(sessions[0]).toEqual({
    session_id: 'a',
    checkpoint_time: toIso(NOW_MS - 1_000),
    original_start_time: LEAST.original_start_time,
    phase: 'execute',
    iteration: 0,
    model: '',
    working_dir: '/',
    prompt: 'do a',
    force_stopped: false,
    force_stop_reason: null,
    completed_at: null,
    cost_usd: 1.5,
  });
  expect(Object.fromEntries(problems.map(({ id, problem }) => [id, problem]))).toEqual({
    damaged: 'corrupt',
    newer: 'version',
    empty: 'corrupt',
    fifo: 'unreadable',
    link: 'unreadable',
    foreign: 'unreadable',
  });
  expect(problems.find(({ id }) => id === 'damaged')).toMatchObject({
    message: 'Checkpoint is corrupt: it is not complete JSON',
    modified_at: expect.stringMatching(/Z$/) as string,
  });
});

it('CK10 G-33 a checkpoint is stale when it is older than 24 hours, to the millisecond', async () => {
  const ages = [STALE_AFTER_MS - 1, STALE_AFTER_MS, STALE_AFTER_MS + 1, -HOUR_MS];
  const home = newHome();
  for (const [index, ageMs] of ages.entries())
    putCheckpoint(home, `s${index}`, aged(`s${index}`, ageMs));
  putCheckpoint(home, 'done', aged('done', 99 * HOUR_MS, { phase: 'complete' }));
  expect(ages.map((ageMs) => isStale(aged('x', ageMs), NOW_MS))).toEqual([
    false,
    false,
    true,
    false,
  ]);
  const { sessions, problems } = await listCheckpoints(home, NOW_MS);
  expect(sessions.length).toBe(5);
  expect(problems).toEqual([
    {
      id: 's2',
      problem: 'stale',
      message: expect.stringMatching(/^Session is stale: /) as string,
      modified_at: toIso(NOW_MS - STALE_AFTER_MS - 1),
    },
  ]);
});

it('CK11 a session whose working directory is gone, a file or relative is invalid', async () => {
  const home = newHome();
  writeFileSync(join(home, 'file'), '');
  const directories = [
    home,
    join(home, 'gone'),
    join(home, 'file'),
    join(home, 'file/x'),
    '.',
    'server',
  ];
  for (const [index, working_dir] of directories.entries()) {
    putCheckpoint(home, `s${index}`, aged(`s${index}`, 0, { working_dir }));
  }
  putCheckpoint(home, 'done', aged('done', 0, { working_dir: '/gone', phase: 'complete' }));
  expect(directories.map((working_dir) => isValid({ working_dir }))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  const { problems } = await listCheckpoints(home, NOW_MS);
  expect(problems.map(({ id }) => id).sort()).toEqual(['s1', 's2', 's3', 's4', 's5']);
  expect(problems[0]).toMatchObject({
    problem: 'invalid_directory',
    message: expect.stringMatching(/^Working directory not found: /) as string,
  });
});

const MANY = 40;

/** A home with enough sessions that their summaries are kept. */
async function listedHome(): Promise<{ home: string; cache: string }> {
  const home = newHome();
  for (let n = 0; n < MANY; n += 1) putCheckpoint(home, `s${n}`, aged(`s${n}`, n));
  putCheckpoint(home, 'damaged', '{');
  await listCheckpoints(home, NOW_MS);
  return { home, cache: join(home, 'sessions/.summaries.json') };
}

async function promptsOf(home: string): Promise<Set<string>> {
  const { sessions, problems } = await listCheckpoints(home, NOW_MS);
  expect(sessions.length).toBe(MANY);
  expect(problems.map(({ id }) => id)).toEqual(['damaged']);
  return new Set(sessions.map(({ prompt }) => prompt));
}

it('CK12 a list reads only the sessions that changed since the last one', async () => {
  const { home, cache } = await listedHome();
  const text = readFileSync(cache, 'utf8');
  writeFileSync(cache, text.replaceAll('"/",""', '"/","remembered"'));
  expect(await promptsOf(home)).toEqual(new Set(['remembered']));
  saveCheckpoint(home, checkpoint({ session_id: 's3', prompt: 'changed' }));
  expect(await promptsOf(home)).toEqual(new Set(['remembered', 'changed']));
  rmSync(join(home, 'sessions/s4'), { recursive: true });
  expect((await listCheckpoints(home, NOW_MS)).sessions.length).toBe(MANY - 1);
});

const BROKEN: [what: string, text: (whole: string) => string][] = [
  ['lost', () => ''],
  ['cut off', (whole) => whole.slice(0, 500)],
  ['of another version', (whole) => whole.replace('"version":2', '"version":1')],
  ['of another shape', (whole) => whole.replaceAll('"execute"', '"phase"')],
  ['no JSON', () => 'x'],
];

it.each(BROKEN)('CK12 what is remembered may be %s', async (_, text) => {
  const { home, cache } = await listedHome();
  const whole = readFileSync(cache, 'utf8');
  writeFileSync(cache, text(whole));
  expect(await promptsOf(home)).toEqual(new Set(['']));
  rmSync(cache);
  expect(await promptsOf(home)).toEqual(new Set(['']));
  expect(existsSync(cache)).toBe(true);
});

it('CK9 ten thousand sessions with a damaged one among them are all listed', async () => {
  const home = newHome();
  const least = checkpoint();
  for (let n = 0; n < 10_000; n += 1) {
    putCheckpoint(home, `s${n}`, {
      ...least,
      session_id: `s${n}`,
      checkpoint_time: toIso(NOW_MS - n),
    });
  }
  putCheckpoint(home, 's777', '{"version":1');
  for (let n = 0; n < 2; n += 1) {
    const { sessions, problems } = await listCheckpoints(home, NOW_MS);
    expect(sessions.length).toBe(9_999);
    expect(sessions.slice(0, 3).map(({ session_id }) => session_id)).toEqual(['s0', 's1', 's2']);
    expect(problems.map(({ id, problem }) => `${id} ${problem}`)).toEqual(['s777 corrupt']);
  }
});

/** One of each kind; `busy` is locked by this process. */
function mixedHome(): string {
  const home = newHome();
  putCheckpoint(home, 'done', aged('done', HOUR_MS, { phase: 'complete' }));
  putCheckpoint(home, 'old', aged('old', 48 * HOUR_MS, { phase: 'complete' }));
  putCheckpoint(home, 'stopped', aged('stopped', HOUR_MS, { force_stopped: true }));
  putCheckpoint(home, 'stale', aged('stale', 30 * HOUR_MS));
  putCheckpoint(home, 'invalid', aged('invalid', HOUR_MS, { working_dir: '/gone' }));
  putCheckpoint(home, 'both', aged('both', 30 * HOUR_MS, { working_dir: '/gone' }));
  putCheckpoint(home, 'active', aged('active', 0));
  putCheckpoint(home, 'corrupt', 'x');
  putCheckpoint(home, 'newer', { ...LEAST, version: 2 });
  symlinkSync('/', join(home, 'sessions/link'));
  putCheckpoint(home, 'busy', aged('busy', 48 * HOUR_MS, { phase: 'complete' }));
  return home;
}

const PLANS: [options: CleanupOptions, expected: string][] = [
  [{}, ''],
  [{ includeStopped: true, olderThanMs: 0 }, ''],
  [{ completed: true }, 'done completed, old completed'],
  [{ completed: true, olderThanMs: HOUR_MS }, 'old completed'],
  [{ completed: true, includeStopped: true }, 'done completed, old completed, stopped stopped'],
  [{ stale: true }, 'both stale, stale stale'],
  [{ stale: true, olderThanMs: 30 * HOUR_MS }, ''],
  [{ stale: true, olderThanMs: 30 * HOUR_MS - 1 }, 'both stale, stale stale'],
  [{ invalid: true }, 'both invalid, invalid invalid'],
  [{ corrupt: true }, 'corrupt corrupt'],
  [{ stale: true, invalid: true }, 'both invalid, invalid invalid, stale stale'],
  [
    { completed: true, includeStopped: true, stale: true, invalid: true, corrupt: true },
    'both invalid, corrupt corrupt, done completed, invalid invalid, old completed, stale stale, stopped stopped',
  ],
];

it.each(PLANS)('CK15 G-35 %j chooses what it says', async (options, expected) => {
  const home = mixedHome();
  const list = await listCheckpoints(home, NOW_MS);
  const plan = planCleanup(list, options, NOW_MS, new Set(['busy']));
  expect(
    plan
      .map(({ id, why }) => `${id} ${why}`)
      .sort()
      .join(', '),
  ).toBe(expected);
});

it('CK15 G-35 a cleanup removes what it announced, and never what is locked, newer or a link', async () => {
  const home = mixedHome();
  const release = lockSession(home, 'busy', NOW_MS);
  const options = { completed: true, stale: true, invalid: true, corrupt: true };
  const before = namesBelow(home);
  const announced = await cleanUp(home, { ...options, dryRun: true }, NOW_MS);
  expect(namesBelow(home)).toEqual(before);
  expect(await cleanUp(home, options, NOW_MS)).toEqual(announced);
  expect(announced.failed).toEqual([]);
  const left = async () =>
    (await listCheckpoints(home, NOW_MS)).sessions.map((each) => each.session_id);
  expect((await left()).sort()).toEqual(['active', 'busy', 'stopped']);
  expect(existsSync(join(home, 'sessions/newer'))).toBe(true);
  expect(existsSync(join(home, 'sessions/link'))).toBe(true);
  release();
  expect((await cleanUp(home, options, NOW_MS)).removed).toEqual([
    { id: 'busy', why: 'completed' },
  ]);
});

it('CK9 a directory of sessions that cannot be read is an error, not an empty list', async () => {
  const home = newHome();
  writeFileSync(join(home, 'sessions'), '');
  expect(await failureOf(() => listCheckpoints(home, NOW_MS))).toMatch(
    /^checkpoint_unreadable: .*ENOTDIR/,
  );
});
