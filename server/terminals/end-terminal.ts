/** Ends everything that was started in a terminal, through the processes: no host has to answer. */
import type { Leftover } from '../../shared/schema/leftover.ts';
import type { Clock } from '../lib/clock.ts';
import { endProcesses } from '../lib/processes/end-processes.ts';
import { OwnedProcesses } from '../lib/processes/owned-processes.ts';
import type { ProcessIdentity } from '../lib/processes/process-identity.ts';
import { systemProcesses } from '../lib/processes/processes.ts';
import type { TerminalIdentity } from './terminal.ts';

/** Carries the terminal's mark in the environment of everything started in it. */
export const TERMINAL_VARIABLE = 'LOOPWATCH_TERMINAL_ID';

/** A shell that receives SIGHUP saves its history first. */
const GRACE_MS = 2_000;

/**
 * Records what belongs to the terminal, runs `close`, which asks its host to end it, and ends what
 * is left. `commandTexts` find a host whose identity was never stored.
 */
export async function endTerminal(
  identity: TerminalIdentity | null,
  options: { clock: Clock; hasOwnHost: boolean; commandTexts?: readonly string[] },
  close: () => Promise<void>,
): Promise<Leftover[]> {
  const { clock, hasOwnHost, commandTexts = [] } = options;
  const owned = new OwnedProcesses(
    {
      roots: identity === null ? [] : rootsOf(identity, hasOwnHost),
      marks:
        identity?.mark === undefined ? [] : [{ name: TERMINAL_VARIABLE, value: identity.mark }],
      commandTexts,
    },
    { processes: systemProcesses, clock },
  );
  // Before the host ends: a program that emptied its environment is known only by its parent.
  await owned.find().catch(() => undefined);
  await close();
  const ending = { processes: systemProcesses, clock, graceMs: GRACE_MS };
  return (await endProcesses(owned, ending)) ?? [];
}

function rootsOf(identity: TerminalIdentity, hasOwnHost: boolean): ProcessIdentity[] {
  const shell = { pid: identity.shellPid, startedAt: identity.shellStartedAt };
  const host = { pid: identity.hostPid, startedAt: identity.hostStartedAt };
  return hasOwnHost ? [host, shell] : [shell];
}
