/** Ends processes: politely, then by force; reports which of them could not be ended. */
import type { Leftover } from '../../shared/schema/leftover.ts';
import type { Clock } from './clock.ts';
import type { OwnedProcesses } from './owned-processes.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { surveySteps } from './process-survey.ts';
import type { Processes } from './processes.ts';
import { within } from './within.ts';

const SIGNALS = ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const;
const POLL_EVERY_MS = 50;
/** Of one command line. */
const READ_MS = 5_000;
const MAX_COMMAND_CHARACTERS = 200;
/** A search that gets nowhere for so long, or takes so long in all, is not tried again. */
const STILL_MS = 15_000;
const FIND_MS = 60_000;

export interface EndOptions {
  processes: Processes;
  clock: Clock;
  /** How long each signal may take. */
  graceMs: number;
}

/**
 * Ends what belongs to `owned`, which is searched for before each signal, because a process that is
 * told to end may start another. Gives those that still run after the last signal, or null when the
 * system cannot say; then what was known before is ended all the same. Never rejects; takes three
 * graces at most, besides the searches.
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
    await untilGone(sent, { processes, clock, graceMs });
  }
  const left = await search();
  if (left === null) return null;
  return Promise.all(
    left.map(async ({ pid }) => ({
      pid,
      command: commandOf((await within(clock, READ_MS, processes.words(pid)))?.answer ?? ''),
      cause: refused.has(pid) ? ('not_permitted' as const) : ('still_running' as const),
    })),
  );
}

function send(identity: ProcessIdentity, signal: NodeJS.Signals, processes: Processes) {
  try {
    return processes.signal(identity, signal);
  } catch {
    // The system cannot say whether it is that process: nothing is signalled, and the next round asks again.
    return 'unknown';
  }
}

/** With nothing to wait for it waits the whole grace: the search failed, and may succeed later. */
async function untilGone(
  identities: readonly ProcessIdentity[],
  { processes, clock, graceMs }: EndOptions,
): Promise<void> {
  const deadline = clock.monotonic() + graceMs;
  while (clock.monotonic() < deadline) {
    if (identities.length > 0 && identities.every((each) => isGone(each, processes))) return;
    await clock.sleep(POLL_EVERY_MS);
  }
}

function isGone({ pid, startedAt }: ProcessIdentity, processes: Processes): boolean {
  try {
    return processes.read(pid)?.startedAt !== startedAt;
  } catch {
    return false;
  }
}

function commandOf(words: string): string {
  return words.split('\0').filter(Boolean).join(' ').slice(0, MAX_COMMAND_CHARACTERS);
}
