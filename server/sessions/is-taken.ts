import type { Clock } from '../lib/clock.ts';
import type { TypingWitness } from './outbox-options.ts';

/** What the agent gets to show that it took a prompt. */
const CONFIRM_MS = 2_000;
const LOOK_MS = 100;

/** Takes the mark from before the typing; tells whether the agent took what was typed within 2 s. */
export async function isTaken(
  session: string,
  before: string | null,
  by: { clock: Clock; witness: TypingWitness; signal: AbortSignal },
): Promise<boolean> {
  const deadline = by.clock.monotonic() + CONFIRM_MS;
  while (by.clock.monotonic() < deadline) {
    await by.clock.sleep(LOOK_MS, by.signal);
    const mark = await by.witness.takenMark(session);
    if (mark !== null && mark !== before) return true;
  }
  return false;
}
