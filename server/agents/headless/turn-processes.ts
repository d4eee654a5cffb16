/** All processes that a turn started, also those that left its group: by a mark in their environment. */
import { markedProcesses } from '../../lib/marked-processes.ts';
import { isAlive, type ProcessIdentity } from '../../lib/process-identity.ts';

/** Holds the id of the turn in the environment of everything it starts. */
export const TURN_VARIABLE = 'LOOPWATCH_TURN';

/**
 * Takes the id of a turn; gives its living processes. Reads /proc; elsewhere it finds none, and the
 * group alone is ended.
 */
export function processesOfTurn(turnId: string): ProcessIdentity[] {
  return markedProcesses({ name: TURN_VARIABLE, value: turnId });
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
