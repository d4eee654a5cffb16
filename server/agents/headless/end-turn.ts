/** Ends what runs in a turn: politely, then by force, at last whatever it left behind. */
import type { Clock } from '../../lib/clock.ts';
import { type ProcessIdentity, signalGroup } from '../../lib/process-identity.ts';
import { mayLive, processesOfTurn, signalProcess } from './turn-processes.ts';

/** What it took beyond what was asked: `none`, it went by itself. */
export type Ending = 'none' | 'SIGTERM' | 'SIGKILL' | 'already_gone';

const LOOK_EVERY_MS = 50;

/** Takes a process that leads its group; ends the group. Resolves when the process is gone. */
export async function endGroup(
  identity: ProcessIdentity,
  graceMs: number,
  clock: Clock,
): Promise<Ending> {
  if (!signalGroup(identity, 'SIGTERM')) return 'already_gone';
  if (await isGoneWithin([identity], graceMs, clock)) return 'SIGTERM';
  signalGroup(identity, 'SIGKILL');
  await isGoneWithin([identity], graceMs, clock);
  return 'SIGKILL';
}

/**
 * Takes the id of a turn whose client is gone; ends every process that it left behind. Gives those
 * that still live after that: a process in the kernel's hands takes no signal.
 */
export async function endLeftovers(
  turnId: string,
  graceMs: number,
  clock: Clock,
): Promise<ProcessIdentity[]> {
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const) {
    // Asked anew: what was told to end may have started another.
    const left = processesOfTurn(turnId);
    if (left.length === 0) return [];
    for (const identity of left) signalProcess(identity, signal);
    await isGoneWithin(left, graceMs, clock);
  }
  return processesOfTurn(turnId);
}

/** Takes processes and a time in milliseconds; tells whether all of them are gone within it. */
export async function isGoneWithin(
  identities: readonly ProcessIdentity[],
  limitMs: number,
  clock: Clock,
): Promise<boolean> {
  const deadline = clock.monotonic() + limitMs;
  while (identities.some(mayLive)) {
    if (clock.monotonic() >= deadline) return false;
    await clock.sleep(LOOK_EVERY_MS);
  }
  return true;
}
