/** Every process that belongs to a world, from the process table only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { until } from './until.ts';
import type { World } from './world.ts';

/** Running processes started in the world, recognized by command line, environment or directory. */
function processesOf({ root }: World): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => ({ pid, command: text(pid, 'cmdline'), environment: text(pid, 'environ') }))
    .filter(
      ({ pid, command, environment }) =>
        command.includes(root) || environment.includes(root) || placeOf(pid).startsWith(root),
    )
    .map(({ pid, command }) => `${pid} ${command.replaceAll('\0', ' ')}`);
}

/** Waits until nothing of a world runs any more; returns what does not end. */
export async function leftProcesses(world: World): Promise<string[]> {
  await until('nothing runs', () => processesOf(world).length === 0).catch(() => undefined);
  return processesOf(world);
}

/** Empty when it has ended. */
function text(pid: string, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

function placeOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
