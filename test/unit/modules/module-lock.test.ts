/** One agent works on a module at a time, and a dead one holds nothing up. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  type ProcessIdentity,
  readProcess,
} from '../../../server/lib/processes/process-identity.ts';
import type { LockHolder } from '../../../server/lib/processes/lock-file.ts';
import type { ListedProcess } from '../../../server/lib/processes/processes.ts';
import {
  acquireLock,
  callingAgent,
  readLock,
  releaseLock,
} from '../../../server/modules/module-lock.ts';
import { moduleDirectory } from '../../support/git/module-directory.ts';

const SINCE = '2026-01-01T00:00:00.000Z';

function holder(pid = process.pid, startedAt = readProcess(pid)?.startedAt ?? ''): LockHolder {
  return { pid, startedAt, run: null, since: SINCE };
}

/** Its pid may be another process by now: only pid and start time together are it. */
const DEAD = holder(process.pid, '1');

async function other() {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const identity = holder(child.pid);
  const end = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { identity, end };
}

it('LS7, LS18 the first agent takes it, may take it again, and a living holder is never touched', async () => {
  const directory = moduleDirectory();
  const { identity, end } = await other();
  expect(acquireLock(directory, identity)).toBe('acquired');
  expect(acquireLock(directory, identity)).toBe('already_held');
  expect(acquireLock(directory, holder())).toBe('refused');
  expect(releaseLock(directory, holder())).toBe(false);
  expect(readLock(directory)).toEqual({ kind: 'held', by: identity, isAlive: true });
  await end();
  expect(readLock(directory)).toMatchObject({ isAlive: false });
  expect(acquireLock(directory, holder())).toBe('taken_over');
  expect(releaseLock(directory, holder())).toBe(true);
  expect(releaseLock(directory, holder())).toBe(true);
  expect(readdirSync(directory)).toEqual([]);
});

it('LS18 a pid reused by another process holds no lock', () => {
  const directory = moduleDirectory({ '.lock': DEAD });
  expect(acquireLock(directory, holder())).toBe('taken_over');
  expect(readLock(directory)).toMatchObject({ by: holder(), isAlive: true });
});

it('LS18 a takeover that was killed blocks others for a minute at most', () => {
  const directory = moduleDirectory({ '.lock': DEAD });
  const claim = join(directory, '.lock.claim');
  writeFileSync(claim, '');
  expect(acquireLock(directory, holder())).toBe('refused');
  const old = new Date(Date.now() - 61_000);
  utimesSync(claim, old, old);
  expect(acquireLock(directory, holder())).toBe('taken_over');
  expect(readdirSync(directory)).toEqual(['.lock']);
});

it.each([
  ['torn', (path: string) => writeFileSync(path, '{"pid":1')],
  ['empty', (path: string) => writeFileSync(path, '')],
  ['of something else', (path: string) => writeFileSync(path, '{"lockfileVersion":3}')],
  ['huge', (path: string) => writeFileSync(path, ' '.repeat(100_000))],
  ['a directory', (path: string) => mkdirSync(path)],
  ['a link to a lock', (path: string) => symlinkSync(`${path}.real`, path)],
  ['a link to nothing', (path: string) => symlinkSync('/nowhere', path)],
])('LS19 a lock that is %s is left to a person', (_, put) => {
  const directory = moduleDirectory({ '.lock.real': DEAD });
  put(join(directory, '.lock'));
  expect(readLock(directory)).toEqual({ kind: 'foreign' });
  expect(acquireLock(directory, holder())).toBe('refused');
  expect(releaseLock(directory, holder())).toBe(false);
  expect(readdirSync(directory).sort()).toEqual(['.lock', '.lock.real']);
});

it('LS7 the holder is the first ancestor that is no shell, never a terminal', () => {
  const list = (...names: string[]): ListedProcess[] =>
    names.map((name, index) => {
      const identity = { pid: index + 10, startedAt: `${index}` };
      return { ...identity, name, parent: index + 9, group: 1, session: 1 };
    });
  const of = (...names: string[]): ProcessIdentity | null =>
    callingAgent(list(...names), names.length + 9);
  expect(of('tmux: server', 'bash', 'claude', 'zsh', 'sh', 'node')).toEqual({
    pid: 12,
    startedAt: '2',
  });
  expect(of('tmux: server', 'node', 'node')).toEqual({ pid: 11, startedAt: '1' });
  expect(of('sshd', '-bash', 'node')).toBe(null);
  expect(of('tmux: server', 'fish', 'node')).toBe(null);
  expect(callingAgent([], 7)).toBe(null);
});
