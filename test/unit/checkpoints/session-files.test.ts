/** Sessions of phased runs as directories: locked and deleted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deleteSession } from '../../../server/checkpoints/delete-session.ts';
import { loadCheckpoint } from '../../../server/checkpoints/load-checkpoint.ts';
import { saveCheckpoint } from '../../../server/checkpoints/save-checkpoint.ts';
import { isLocked, lockSession } from '../../../server/checkpoints/session-lock.ts';
import { readProcess } from '../../../server/lib/processes/process-identity.ts';
import {
  checkpoint,
  failureOf,
  namesBelow,
  newHome,
  NOW_MS,
} from '../../support/runs/checkpoint-home.ts';

function savedHome(): { home: string; directory: string } {
  const home = newHome();
  saveCheckpoint(home, checkpoint());
  return { home, directory: join(home, 'sessions/one') };
}

function putLock(directory: string, lock: object): void {
  writeFileSync(join(directory, 'lock'), JSON.stringify(lock));
}

it('CK13 one live process has a session; a dead one or a reused pid holds nothing', async () => {
  const { home, directory } = savedHome();
  const other = spawn('sleep', ['1000'], { stdio: 'ignore' });
  await once(other, 'spawn');
  const pid = other.pid ?? 0;
  const lock = { pid, startedAt: readProcess(pid)?.startedAt, run: null, since: 'x' };
  putLock(directory, lock);
  expect(isLocked(home, 'one')).toBe(true);
  expect(await failureOf(() => lockSession(home, 'one', NOW_MS))).toBe(
    `run_busy: Session one is in use by process ${pid}. Stop it first`,
  );
  putLock(directory, { ...lock, startedAt: '1' });
  expect(isLocked(home, 'one')).toBe(false);
  putLock(directory, lock);
  other.kill('SIGKILL');
  await once(other, 'exit');
  const release = lockSession(home, 'one', NOW_MS);
  expect(isLocked(home, 'one')).toBe(true);
  expect(statSync(join(directory, 'lock')).mode & 0o777).toBe(0o600);
  expect(await failureOf(() => lockSession(home, 'one', NOW_MS))).toMatch(/^run_busy: /);
  release();
  expect(namesBelow(directory)).toEqual(['checkpoint.json']);
});

it('CK13 a lock that is no lock is left to a person', async () => {
  const { home, directory } = savedHome();
  writeFileSync(join(directory, 'lock'), 'x');
  expect(await failureOf(() => lockSession(home, 'one', NOW_MS))).toContain(
    `remove ${join(directory, 'lock')}`,
  );
  expect(await failureOf(() => deleteSession(home, 'one'))).toMatch(/^run_busy: /);
});

it('CK13 taking a session removes the halves that killed saves left', () => {
  const { home, directory } = savedHome();
  for (const name of ['checkpoint.json.tmp-1', 'lock.tmp-2', 'plan.md', 'other.tmp-3']) {
    writeFileSync(join(directory, name), '{');
  }
  lockSession(home, 'one', NOW_MS)();
  expect(namesBelow(directory)).toEqual(['checkpoint.json', 'other.tmp-3', 'plan.md']);
});

it('CK14 a deletion removes that session only and follows no link', async () => {
  const { home, directory } = savedHome();
  saveCheckpoint(home, checkpoint({ session_id: 'two' }));
  mkdirSync(join(home, 'kept'));
  writeFileSync(join(home, 'kept/file'), '');
  symlinkSync(join(home, 'kept'), join(directory, 'link'));
  mkdirSync(join(home, 'sessions/.removed-of-a-killed-deletion'));
  deleteSession(home, 'one');
  expect(namesBelow(home)).toEqual([
    'kept',
    'kept/file',
    'sessions',
    'sessions/two',
    'sessions/two/checkpoint.json',
  ]);
  expect(await failureOf(() => deleteSession(home, 'one'))).toMatch(/^run_unknown: /);
  expect(await failureOf(() => deleteSession(home, '../kept'))).toMatch(/^run_unknown: /);
  symlinkSync(join(home, 'kept'), join(home, 'sessions/link'));
  expect(await failureOf(() => deleteSession(home, 'link'))).toMatch(/^checkpoint_unreadable: /);
  chownSync(join(home, 'sessions/two'), 12_345, 12_345);
  expect(await failureOf(() => deleteSession(home, 'two'))).toMatch(/^checkpoint_unreadable: /);
  expect(existsSync(join(home, 'kept/file'))).toBe(true);
});

it('CK14 a session that a live process has is not deleted, not even by that process', async () => {
  const { home, directory } = savedHome();
  const release = lockSession(home, 'one', NOW_MS);
  const { ctimeMs } = statSync(directory);
  expect(await failureOf(() => deleteSession(home, 'one'))).toMatch(/^run_busy: /);
  // Not even moved away for a moment.
  expect(statSync(directory).ctimeMs).toBe(ctimeMs);
  expect(loadCheckpoint(home, 'one')).toEqual(checkpoint());
  release();
  deleteSession(home, 'one');
  expect(namesBelow(join(home, 'sessions'))).toEqual([]);
});
