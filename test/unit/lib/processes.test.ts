/** The system's processes, listed and read. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openFileCount } from '../../../server/lib/open-files.ts';
import { HAS_PROC, readProcess } from '../../../server/lib/processes/process-identity.ts';
import { systemProcesses } from '../../../server/lib/processes/processes.ts';

/** Linux, where the test may decide which pid comes next. */
const LAST_PID = '/proc/sys/kernel/ns_last_pid';

it.runIf(HAS_PROC)(
  'UL7, LP32 many are read at once, each whole, however large its environment',
  async () => {
    const long = 'x'.repeat(100_000);
    const children = Array.from({ length: 20 }, (_, number) =>
      spawn('sleep', ['600'], { env: { LONG: long, MARK: String(number) } }),
    );
    await Promise.all(children.map(async (child) => once(child, 'spawn')));
    try {
      const pids = children.map(({ pid }) => pid ?? 0);
      const read = await Promise.all(pids.map(async (pid) => systemProcesses.environment(pid)));
      expect(read).toEqual(pids.map((_, number) => `\0LONG=${long}\0MARK=${number}\0\0`));
      expect(await systemProcesses.commandLine(pids[0] ?? 0)).toBe('\0sleep\x00600\0\0');
      const listed = await systemProcesses.list();
      const ours = listed.filter(({ pid }) => pids.includes(pid));
      expect(ours.map(({ name, parent }) => [name, parent])).toEqual(
        pids.map(() => ['sleep', process.pid]),
      );
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map(async (child) => once(child, 'exit')));
    }
    expect(await systemProcesses.environment(children[0]?.pid ?? 0)).toBe('');
  },
);

it.runIf(HAS_PROC)('FS66 a known process is taken as it is while its pid exists', async () => {
  const child = spawn('true');
  await once(child, 'exit');
  const own = { name: 'known', startedAt: '1', parent: 1, group: 1, session: 1 };
  const known = [process.pid, child.pid ?? 0].map((pid) => ({ ...own, pid }));
  const listed = await systemProcesses.list(known);
  expect(listed.filter(({ name }) => name === 'known')).toEqual([{ ...own, pid: process.pid }]);
  // Everything else is read.
  expect(listed.length).toBeGreaterThan(1);
});

it.runIf(HAS_PROC)('UL6 readings of processes that ended hold no files', async () => {
  const own = readProcess(process.pid);
  const askForOwn = () => {
    for (let n = 0; n < 1_000; n += 1) expect(readProcess(process.pid)).toEqual(own);
  };
  const children = Array.from({ length: 21 }, () => spawn('sleep', ['600'], { stdio: 'ignore' }));
  await Promise.all(children.map(async (child) => once(child, 'spawn')));
  const [first = 0, ...pids] = children.map(({ pid }) => pid ?? 0);
  // Drops what other tests of this process have left.
  askForOwn();
  expect(readProcess(first)?.name).toBe('sleep');
  const before = openFileCount() ?? 0;
  expect(pids.map((pid) => readProcess(pid)?.name)).toEqual(pids.map(() => 'sleep'));
  expect(openFileCount()).toBeGreaterThanOrEqual(before + pids.length);
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map(async (child) => once(child, 'exit')));
  // Others are asked for again and again, and a new one comes.
  askForOwn();
  expect(readProcess(process.ppid)).not.toBeNull();
  expect(openFileCount()).toBeLessThan(before + 5);
  expect(pids.map(readProcess)).toEqual(pids.map(() => null));
});

it.runIf(mayChoosePid())('UL6 a pid that is taken again is another process', async () => {
  const first = spawn('sleep', ['600'], { stdio: 'ignore' });
  await once(first, 'spawn');
  const pid = first.pid ?? 0;
  expect(readProcess(pid)?.name).toBe('sleep');
  first.kill('SIGKILL');
  await once(first, 'exit');
  // Other programs of the machine may be faster.
  for (let tries = 0; tries < 500; tries += 1) {
    writeFileSync(LAST_PID, String(pid - 1));
    const next = spawn('tail', ['-f', '/dev/null'], { stdio: 'ignore' });
    await once(next, 'spawn');
    const found = readProcess(pid);
    next.kill('SIGKILL');
    await once(next, 'exit');
    if (next.pid !== pid) continue;
    expect(found?.name).toBe('tail');
    return;
  }
  expect.unreachable('the pid was never taken again');
});

function mayChoosePid(): boolean {
  try {
    writeFileSync(LAST_PID, readFileSync(LAST_PID));
    return true;
  } catch {
    return false;
  }
}
