/** Every process that belongs to a world, from the process table only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { TURN_VARIABLE } from '../../../server/agents/headless/turn-processes.ts';
import { until } from '../house/until.ts';

interface Rooted {
  root: string;
}

/** Waits until nothing of a world runs any more; returns what does not end. */
export async function leftProcesses(world: Rooted): Promise<string[]> {
  await until('nothing runs', () => processesOf(world).length === 0).catch(() => undefined);
  return processesOf(world);
}

/** Pids of its tmux servers and clients. */
export function tmuxIn({ root }: Rooted): number[] {
  return pids().filter((pid) => {
    const command = text(pid, 'cmdline');
    return command.startsWith('tmux') && command.includes(`${root}/`);
  });
}

/** Pids of the turns of tasks, and of all they started, whose home directory is in it. */
export function turnsIn({ root }: Rooted): number[] {
  return pids().filter((pid) => {
    const environment = text(pid, 'environ');
    return environment.includes(`HOME=${root}/`) && environment.includes(`${TURN_VARIABLE}=`);
  });
}

/** Pids of git that work in a repository of it. */
export function gitIn({ root }: Rooted): number[] {
  return pids().filter(
    (pid) => /^(?:\S*\/)?git\0/.test(text(pid, 'cmdline')) && placeOf(pid).startsWith(root),
  );
}

/** Running processes started in the world, recognized by command line, environment or directory. */
function processesOf({ root }: Rooted): string[] {
  return pids()
    .filter((pid) => pid !== process.pid)
    .map((pid) => ({ pid, command: text(pid, 'cmdline'), environment: text(pid, 'environ') }))
    .filter(
      ({ pid, command, environment }) =>
        command.includes(root) || environment.includes(root) || placeOf(pid).startsWith(root),
    )
    .map(({ pid, command }) => `${pid} ${command.replaceAll('\0', ' ')}`);
}

function pids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Empty when it has ended. */
function text(pid: number, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

function placeOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended on its own.
  }
}
