/** The two harder ways to end an agent that does not stop by itself. */
import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { type ProcessIdentity, signalGroup } from '../lib/process-identity.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** Between the end asked of a process group and its end by force. */
const TERM_TO_KILL_MS = 2_000;

/** Presses Ctrl-C, but only into a program: at its shell there is nothing of ours to interrupt. */
export async function interruptProgram(
  sessionName: string,
  { sessions, logger }: { sessions: Sessions; logger: Log },
): Promise<void> {
  try {
    if (sessions.look(sessionName).kind !== 'program') return;
    await sessions.interrupt(sessionName);
  } catch (error) {
    logger.warn({ err: error, session: sessionName }, 'the interrupt failed');
  }
}

/**
 * Ends the process group that this very process leads, and by force what is left of it after two
 * seconds; then calls `after`. Gives the timer of the second step, or null when nothing is left.
 */
export function endProcessGroup(
  agent: ProcessIdentity,
  clock: Clock,
  after: () => void,
): Timer | null {
  if (!signalGroup(agent, 'SIGTERM')) return null;
  return clock.after(TERM_TO_KILL_MS, () => {
    signalGroup(agent, 'SIGKILL');
    after();
  });
}
