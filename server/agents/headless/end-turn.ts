/** Ends what runs in a turn: SIGTERM, then SIGKILL, then everything it left behind. */
import type { Leftover } from '../../../shared/schema/leftover.ts';
import type { Clock } from '../../lib/clock.ts';
import { endProcesses } from '../../lib/processes/end-processes.ts';
import { OwnedProcesses } from '../../lib/processes/owned-processes.ts';
import { systemProcesses } from '../../lib/processes/processes.ts';
import { type ProcessIdentity, signalGroup } from '../../lib/processes/process-identity.ts';
import { mayLive, TURN_VARIABLE } from './turn-processes.ts';

/** The signal it took beyond the request; `none`: it ended without one. */
export type Ending = 'none' | 'SIGTERM' | 'SIGKILL' | 'already_gone';

const POLL_EVERY_MS = 50;

/** `identity` must lead its group, which is signalled. Resolves when the process has ended. */
export async function endGroup(
  identity: ProcessIdentity,
  graceMs: number,
  clock: Clock,
): Promise<Ending> {
  if (!signalGroup(identity, 'SIGTERM')) return 'already_gone';
  if (await exitsWithin([identity], graceMs, clock)) return 'SIGTERM';
  signalGroup(identity, 'SIGKILL');
  await exitsWithin([identity], graceMs, clock);
  return 'SIGKILL';
}

/**
 * What a turn started: by the mark in its environment and, through its client, also what emptied
 * its environment or joined another group, once found while its parents lived.
 */
export function ownedByTurn(
  turnId: string,
  client: ProcessIdentity | null,
  clock: Clock,
): OwnedProcesses {
  const marks = [{ name: TURN_VARIABLE, value: turnId }];
  const roots = client === null ? [] : [client];
  return new OwnedProcesses(
    { roots, marks, commandTexts: [] },
    { processes: systemProcesses, clock },
  );
}

/**
 * Ends every process left by a turn whose client has ended. Returns those that could not be ended,
 * null when the system cannot list them.
 */
export async function endLeftovers(
  turnId: string,
  graceMs: number,
  clock: Clock,
  owned = ownedByTurn(turnId, null, clock),
): Promise<Leftover[] | null> {
  const ending = { processes: systemProcesses, clock, graceMs };
  return endProcesses(owned, ending);
}

/** True when all of them end within `limitMs`. */
export async function exitsWithin(
  identities: readonly ProcessIdentity[],
  limitMs: number,
  clock: Clock,
): Promise<boolean> {
  const deadline = clock.monotonic() + limitMs;
  while (identities.some(mayLive)) {
    if (clock.monotonic() >= deadline) return false;
    await clock.sleep(POLL_EVERY_MS);
  }
  return true;
}
