/**
 * All processes that a turn started, also those that left its group, by a mark in their
 * environment.
 */
import { markedProcesses } from '../../lib/processes/marked-processes.ts';
import { isAlive, type ProcessIdentity } from '../../lib/processes/process-identity.ts';

/** Carries the id of the turn in the environment of everything it starts. */
export const TURN_VARIABLE = 'LOOPWATCH_TURN';

/** Its living processes. Reads /proc; elsewhere it finds none, and only the group is ended. */
export function processesOfTurn(turnId: string): ProcessIdentity[] {
  return markedProcesses({ name: TURN_VARIABLE, value: turnId });
}

/** True when that process lives, and when the system cannot say. */
export function mayLive(identity: ProcessIdentity): boolean {
  try {
    return isAlive(identity);
  } catch {
    return true;
  }
}

/** False when that process has ended. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!mayLive(identity)) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch {
    return false;
  }
}
