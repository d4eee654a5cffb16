/** What is read when something else is in the place of a checkpoint. */
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanUp } from '../../../server/checkpoints/clean-up.ts';
import { listCheckpoints } from '../../../server/checkpoints/list-checkpoints.ts';
import { loadCheckpoint, loadPrevious } from '../../../server/checkpoints/load-checkpoint.ts';
import { saveCheckpoint } from '../../../server/checkpoints/save-checkpoint.ts';
import { checkpointPath, PREVIOUS_FILE } from '../../../server/checkpoints/session-directory.ts';
import {
  checkpoint,
  failureOf,
  LEAST,
  newHome,
  putCheckpoint,
} from '../../support/runs/checkpoint-home.ts';

const WHOLE = JSON.stringify(LEAST);
const DAMAGED: [what: string, content: string | Buffer | object, why: RegExp][] = [
  ['nothing', '', /it is empty/],
  ['blanks', ' \n', /it is empty/],
  ['zeros, as a power failure leaves', Buffer.alloc(500), /not complete JSON/],
  ['half of it', WHOLE.slice(0, 60), /not complete JSON/],
  ['one byte less', WHOLE.slice(0, -1), /not complete JSON/],
  ['two of them', WHOLE + WHOLE, /not complete JSON/],
  [
    'no UTF-8',
    Buffer.concat([Buffer.from(WHOLE.slice(0, -1)), Buffer.from([0xff, 0x7d])]),
    /UTF-8/,
  ],
  ['a list', [LEAST], /object/],
  ['null', 'null', /object/],
  ['a text', '"x"', /object/],
  ['no version', { ...LEAST, version: undefined }, /version/],
  ['version 0', { ...LEAST, version: 0 }, /version/],
  ['a version in a text', { ...LEAST, version: '1' }, /version/],
  ['no working directory', { ...LEAST, working_dir: '' }, /working_dir/],
  ['a phase that is none', { ...LEAST, phase: 'streaming' }, /phase/],
  ['no time', { ...LEAST, checkpoint_time: 'yesterday' }, /checkpoint_time/],
  ['a negative cursor', { ...LEAST, exec_cursor: -1 }, /exec_cursor/],
  ['an odd cursor', { ...LEAST, exec_cursor: 1.5 }, /exec_cursor/],
  ['an event that is none', { ...LEAST, exec_events: ['x'] }, /exec_events\.0/],
  ['the id of another session', { ...LEAST, session_id: 'two' }, /session_id/],
  ['a path for an id', { ...LEAST, session_id: '../../x' }, /session_id/],
  ['100,000 levels', `{"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, /nested too deeply/],
];

it.each(DAMAGED)('CK7 %s is a corrupt checkpoint', async (_, content, why) => {
  const home = newHome();
  putCheckpoint(home, 'one', content);
  const failure = await failureOf(() => loadCheckpoint(home, 'one'));
  expect(failure).toMatch(/^checkpoint_corrupt: Checkpoint is corrupt: .*Delete the session/);
  expect(failure).toMatch(why);
  expect(failure.length).toBeLessThan(300);
});

it.each(['PlanningWithClaude', 'StreamingExecution', 'Idle', 'Complete'])(
  'CK19 a checkpoint whose phase is %s is of another program: named, refused and never cleaned up',
  async (phase) => {
    const home = newHome();
    putCheckpoint(home, 'one', { ...LEAST, phase });
    const message = `Checkpoint is of another program: its phase ${phase} is none of`;
    expect(await failureOf(() => loadCheckpoint(home, 'one'))).toContain(
      `checkpoint_unreadable: ${message} plan, execute, review, fix, complete`,
    );
    const nowMs = Date.parse(LEAST.checkpoint_time) + 100 * 24 * 60 * 60_000;
    for (let n = 0; n < 2; n += 1) {
      const { sessions, problems } = await listCheckpoints(home, nowMs);
      expect(sessions).toEqual([]);
      expect(problems).toMatchObject([{ id: 'one', problem: 'unreadable' }]);
      expect(problems[0]?.message).toContain(message);
    }
    const everything = { completed: true, stale: true, invalid: true, corrupt: true };
    const cleaned = await cleanUp(home, { ...everything, includeStopped: true }, nowMs);
    expect(cleaned).toEqual({ removed: [], failed: [] });
    expect(readFileSync(checkpointPath(home, 'one'), 'utf8')).toContain(phase);
  },
);

it('CK7 a corrupt checkpoint names the one before, if that still reads', async () => {
  const home = newHome();
  saveCheckpoint(home, checkpoint({ iteration: 1 }));
  saveCheckpoint(home, checkpoint({ iteration: 2 }));
  const path = checkpointPath(home, 'one');
  const previous = join(dirname(path), PREVIOUS_FILE);
  truncateSync(path, 10);
  expect(await failureOf(() => loadCheckpoint(home, 'one'))).toContain(previous);
  expect(loadPrevious(home, 'one')?.iteration).toBe(1);
  rmSync(path);
  expect(await failureOf(() => loadCheckpoint(home, 'one'))).toMatch(
    /^checkpoint_corrupt: .*missing/,
  );
  writeFileSync(path, 'x');
  truncateSync(previous, 10);
  expect(await failureOf(() => loadCheckpoint(home, 'one'))).toContain('Delete the session');
  expect(loadPrevious(home, 'one')).toBe(null);
});

const HOSTILE: [what: string, put: (path: string) => void][] = [
  ['a FIFO', (path) => execFileSync('mkfifo', [path])],
  [
    'a link to a checkpoint',
    (path) => {
      writeFileSync(`${path}.elsewhere`, WHOLE);
      symlinkSync(`${path}.elsewhere`, path);
    },
  ],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
  ['a directory', (path) => mkdirSync(path)],
  [
    '65 MiB',
    (path) => {
      writeFileSync(path, WHOLE);
      truncateSync(path, 65 * 2 ** 20);
    },
  ],
  [
    'a file with many names',
    (path) => {
      writeFileSync(path, WHOLE);
      for (const name of ['a', 'b']) linkSync(path, `${path}.${name}`);
    },
  ],
  [
    "another user's file",
    (path) => {
      writeFileSync(path, WHOLE);
      chownSync(path, 12_345, 12_345);
    },
  ],
];

it.each(HOSTILE)('CK7 %s is not read', async (_, put) => {
  const home = newHome();
  const path = checkpointPath(home, 'one');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  put(path);
  expect(await failureOf(() => loadCheckpoint(home, 'one'))).toMatch(
    /^checkpoint_unreadable: Checkpoint cannot be read: checkpoint.json /,
  );
});

it('CK7 names that programs treat specially are only names', () => {
  const home = newHome();
  const text = WHOLE.replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":1},');
  putCheckpoint(home, 'one', text);
  const loaded = loadCheckpoint(home, 'one');
  expect(loaded['polluted']).toBe(undefined);
  expect(({} as Record<string, unknown>)['polluted']).toBe(undefined);
  saveCheckpoint(home, loaded);
  expect(loadCheckpoint(home, 'one').phase).toBe('execute');
});
