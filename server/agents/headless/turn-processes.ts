/** All processes that a turn started, also those that left its group: by a mark in their environment. */
import { readdirSync, readFileSync } from 'node:fs';
import { isAlive, type ProcessIdentity, readProcess } from '../../lib/process-identity.ts';

/** Holds the id of the turn in the environment of everything it starts. */
export const TURN_VARIABLE = 'LOOPWATCH_TURN';

/**
 * Takes the id of a turn; gives its living processes. Reads /proc; elsewhere it finds none, and the
 * group alone is ended.
 */
export function processesOfTurn(turnId: string): ProcessIdentity[] {
  const mark = `${TURN_VARIABLE}=${turnId}`;
  return pids()
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(mark))
    .map(readProcess)
    .filter((found) => found !== null)
    .map(({ pid, startedAt }) => ({ pid, startedAt }));
}

/** Takes an identity; tells whether that process lives, or the system cannot say. */
export function mayLive(identity: ProcessIdentity): boolean {
  try {
    return isAlive(identity);
  } catch {
    return true;
  }
}

/** Sends a signal to that very process; gives false when it is gone. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!mayLive(identity)) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch {
    return false;
  }
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

/** Empty for processes of others. */
function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    return [];
  }
}
