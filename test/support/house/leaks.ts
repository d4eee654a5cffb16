/** After each test file: no process and no file of its tests is left. */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { TEST_ROOT } from './test-root.ts';
import { until } from './until.ts';

// A file that shares its process with others runs after one that has cleaned up.
mkdirSync(TEST_ROOT, { recursive: true });

afterAll(async () => {
  await until('every process of the tests has ended', () => leftProcesses().length === 0).catch(
    () => undefined,
  );
  const left = { processes: leftProcesses(), files: leftFiles() };
  // Only this file answers for them, and not each one after it.
  for (const line of left.processes) endProcess(Number.parseInt(line, 10));
  rmSync(TEST_ROOT, { recursive: true, force: true });
  expect(left).toEqual({ processes: [], files: [] });
});

/** Their paths below the root, at most 100: they say whose they are. */
function leftFiles(): string[] {
  return readdirSync(TEST_ROOT, { recursive: true, encoding: 'utf8' }).slice(0, 100);
}

/** Processes that were started below the root or work in it. */
function leftProcesses(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`), cwd: link(`/proc/${pid}/cwd`) }))
    .filter(({ command, cwd }) => command.includes(TEST_ROOT) || cwd.startsWith(TEST_ROOT))
    .map(({ pid, command }) => `${pid} ${command}`);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
