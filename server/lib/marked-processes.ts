/**
 * Processes by a variable in the environment they were started with: what left its group and its
 * parent is still found. Reads /proc; elsewhere nobody can tell.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type ProcessIdentity, readProcess } from './process-identity.ts';

export interface Marker {
  name: string;
  /** Unguessable, or of something that only we start. */
  value: string;
}

/** Each round ends what the last one missed because it was being started. */
const ROUNDS = 20;

/** Takes a marker; kills every process that carries it, but this one. Gives how many there were. */
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

/** Takes a marker; gives the living processes that carry it, but this one. */
export function markedProcesses({ name, value }: Marker): ProcessIdentity[] {
  const marked = `\0${name}=${value}\0`;
  return pids()
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(marked))
    .map(readProcess)
    .filter((found) => found !== null)
    .map(({ pid, startedAt }) => ({ pid, startedAt }));
}

/** The value a process was started with, or null where it has none or it cannot be read. */
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

/** '' of those of others, of what has ended, and of a zombie. */
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
    // It ended by itself.
  }
}
