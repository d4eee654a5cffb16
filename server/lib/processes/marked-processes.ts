/**
 * Finds processes by a variable in the environment they were started with, even after they left
 * their group and parent. Reads /proc; elsewhere it finds none.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type ProcessIdentity, readProcess } from './process-identity.ts';

export interface Marker {
  name: string;
  /** Unguessable, or only ever set by us. */
  value: string;
}

/** Each round ends what was being started during the last one. */
const ROUNDS = 20;

/** Kills every process with the marker except this one. Returns how many. */
export function killMarked(marker: Marker): number {
  const killed = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = markedProcesses(marker).filter(({ pid }) => !killed.has(pid));
    if (found.length === 0) break;
    for (const { pid } of found) {
      killed.add(pid);
      kill(pid);
    }
  }
  return killed.size;
}

/** Without this process. */
export function markedProcesses({ name, value }: Marker): ProcessIdentity[] {
  const marked = `\0${name}=${value}\0`;
  return pids()
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(marked))
    .map(readProcess)
    .filter((found) => found !== null)
    .map(({ pid, startedAt }) => ({ pid, startedAt }));
}

/** The value at the start of the process; null when unset or unreadable. */
export function environmentValue(pid: number, name: string): string | null {
  const environment = environmentOf(pid);
  const at = environment.indexOf(`\0${name}=`);
  if (at === -1) return null;
  const from = at + name.length + 2;
  return environment.slice(from, environment.indexOf('\0', from));
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** '' for other users' processes, ended ones and zombies. */
function environmentOf(pid: number): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`;
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already ended.
  }
}
