/** The system's processes, listed and read. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { HAS_PROC } from '../../server/lib/process-identity.ts';
import { systemProcesses } from '../../server/lib/processes.ts';

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
