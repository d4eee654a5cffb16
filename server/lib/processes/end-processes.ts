/**
 * Ends processes, first with SIGTERM, then with SIGKILL, and reports those that could not be ended.
 */
import type { Leftover } from '../../../shared/schema/leftover.ts';
import type { Clock } from '../clock.ts';
import type { OwnedProcesses } from './owned-processes.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { surveySteps } from './process-survey.ts';
import type { Processes } from './processes.ts';
import { within } from '../within.ts';

const SIGNALS = ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const;
const POLL_EVERY_MS = 50;
/** For one command line. */
const READ_MS = 5_000;
const MAX_COMMAND_CHARACTERS = 200;
/** A search without progress for `STILL_MS`, or longer than `FIND_MS` in total, is not retried. */
const STILL_MS = 15_000;
const FIND_MS = 60_000;

export interface EndOptions {
  processes: Processes;
  clock: Clock;
  /** For each signal. */
  graceMs: number;
}

/**
 * Ends what belongs to `owned`. Searches before each signal, because a process that gets SIGTERM
 * may start another. Returns those still running after the last signal, or null when the system
 * cannot list them; those known before are signalled anyway. Never rejects; takes at most three
 * graces plus the searches.
 */
export async function endProcesses(
  owned: OwnedProcesses,
  { processes, clock, graceMs }: EndOptions,
): Promise<Leftover[] | null> {
  const refused = new Set<number>();
  let hangs = false;
  const search = async () => {
    if (hangs) return null;
    const began = clock.monotonic();
    const finding = owned.find();
    for (;;) {
      const steps = surveySteps(processes);
      const asked = clock.monotonic();
      const found = await within(clock, STILL_MS, finding);
      if (found !== null) return found.answer;
      const now = clock.monotonic();
      if (now - asked < STILL_MS) return null;
      hangs = surveySteps(processes) === steps || now - began >= FIND_MS;
      if (hangs) return null;
    }
  };
  for (const signal of SIGNALS) {
    const found = await search();
    if (found?.length === 0) return [];
    const sent = (found ?? owned.known).filter((identity) => {
      const outcome = send(identity, signal, processes);
      if (outcome === 'not_permitted') refused.add(identity.pid);
      return outcome === 'sent';
    });
    if (found !== null && sent.length === 0) continue;
    await untilEnded(sent, { processes, clock, graceMs });
  }
  const left = await search();
  if (left === null) return null;
  return Promise.all(
    left.map(async ({ pid }) => ({
      pid,
      command: commandOf((await within(clock, READ_MS, processes.commandLine(pid)))?.answer ?? ''),
      cause: refused.has(pid) ? ('not_permitted' as const) : ('still_running' as const),
    })),
  );
}

function send(identity: ProcessIdentity, signal: NodeJS.Signals, processes: Processes) {
  try {
    return processes.signal(identity, signal);
  } catch {
    // The system cannot identify the process: send nothing; the next round checks again.
    return 'unknown';
  }
}

/** With nothing to wait for, waits the whole grace: the search failed and may succeed later. */
async function untilEnded(
  identities: readonly ProcessIdentity[],
  { processes, clock, graceMs }: EndOptions,
): Promise<void> {
  const deadline = clock.monotonic() + graceMs;
  while (clock.monotonic() < deadline) {
    if (identities.length > 0 && identities.every((each) => hasEnded(each, processes))) return;
    await clock.sleep(POLL_EVERY_MS);
  }
}

function hasEnded({ pid, startedAt }: ProcessIdentity, processes: Processes): boolean {
  try {
    return processes.read(pid)?.startedAt !== startedAt;
  } catch {
    return false;
  }
}

function commandOf(commandLine: string): string {
  return commandLine.split('\0').filter(Boolean).join(' ').slice(0, MAX_COMMAND_CHARACTERS);
}
