/** Checkpoints on a disk that is full or read-only. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deleteSession } from '../../../server/checkpoints/delete-session.ts';
import { exportSession } from '../../../server/checkpoints/export-session.ts';
import { importSession } from '../../../server/checkpoints/import-session.ts';
import { listCheckpoints } from '../../../server/checkpoints/list-checkpoints.ts';
import { loadCheckpoint } from '../../../server/checkpoints/load-checkpoint.ts';
import { saveCheckpoint } from '../../../server/checkpoints/save-checkpoint.ts';
import { lockSession } from '../../../server/checkpoints/session-lock.ts';
import {
  checkpoint,
  failureOf,
  namesBelow,
  newHome,
  NOW_MS,
} from '../../support/runs/checkpoint-home.ts';
import { ReadOnlyDirectory } from '../../support/drills/read-only-directory.ts';
import { SmallDisk } from '../../support/drills/small-disk.ts';

const KEPT = checkpoint({ exec_full_text: 'kept'.repeat(10_000) });

it('CK5 on a full disk a save is refused, the old checkpoint stays, and a deletion frees space', async () => {
  const home = newHome();
  using disk = new SmallDisk(join(home, 'disk'), 512);
  saveCheckpoint(disk.path, KEPT);
  saveCheckpoint(disk.path, { ...KEPT, iteration: 1 });
  const before = namesBelow(join(disk.path, 'sessions'));
  disk.fill();
  for (const iteration of [2, 3]) {
    const save = () => saveCheckpoint(disk.path, { ...KEPT, iteration });
    expect(await failureOf(save)).toMatch(/^storage_full: .*nothing was changed/);
    expect(namesBelow(join(disk.path, 'sessions'))).toEqual(before);
    expect(loadCheckpoint(disk.path, 'one')).toEqual({ ...KEPT, iteration: 1 });
  }
  expect((await listCheckpoints(disk.path, NOW_MS)).sessions.length).toBe(1);
  disk.free();
  saveCheckpoint(disk.path, { ...KEPT, iteration: 4 });
  expect(loadCheckpoint(disk.path, 'one').iteration).toBe(4);
  disk.fill();
  deleteSession(disk.path, 'one');
  expect(namesBelow(join(disk.path, 'sessions'))).toEqual([]);
});

it('CK5 a disk that fills up in the middle of a save leaves no half of it', async () => {
  const home = newHome();
  using disk = new SmallDisk(join(home, 'disk'), 512);
  saveCheckpoint(disk.path, KEPT);
  const large = { ...KEPT, exec_full_text: 'x'.repeat(600 * 1024) };
  expect(await failureOf(() => saveCheckpoint(disk.path, large))).toMatch(/^storage_full: /);
  expect(loadCheckpoint(disk.path, 'one')).toEqual(KEPT);
  expect(namesBelow(join(disk.path, 'sessions/one'))).toEqual(['checkpoint.json']);
});

it('CK5 CK17 an import and an export on a full disk leave nothing', async () => {
  const home = newHome();
  saveCheckpoint(home, KEPT);
  const file = join(home, 'one.tar.gz');
  await exportSession(home, 'one', file, NOW_MS);
  using disk = new SmallDisk(join(home, 'disk'), 256);
  disk.fill();
  const act = async () => importSession(disk.path, file);
  expect(await failureOf(act)).toMatch(/^storage_full: /);
  const out = join(disk.path, 'out.tar.gz');
  expect(await failureOf(async () => exportSession(home, 'one', out, NOW_MS))).toMatch(
    /^storage_full: /,
  );
  expect(namesBelow(disk.path).filter((name) => name !== 'sessions')).toEqual(['filler']);
});

it('CK5 in a read-only home everything can be read and nothing is changed', async () => {
  const home = newHome();
  saveCheckpoint(home, KEPT);
  const before = namesBelow(home);
  using readOnly = new ReadOnlyDirectory(home);
  const acts = [
    () => saveCheckpoint(home, { ...KEPT, iteration: 1 }),
    () => saveCheckpoint(home, checkpoint({ session_id: 'two' })),
    () => deleteSession(home, 'one'),
    () => lockSession(home, 'one', NOW_MS),
  ];
  for (const act of acts) expect(await failureOf(act)).toMatch(/^storage_failed: .*EROFS/);
  expect(loadCheckpoint(home, 'one')).toEqual(KEPT);
  expect((await listCheckpoints(home, NOW_MS)).sessions.length).toBe(1);
  expect(namesBelow(readOnly.path)).toEqual(before);
});
