import { setTimeout as pause } from 'node:timers/promises';

/** Often at first, then less often: on a busy machine a poll takes time from what is waited for. */
const POLL_EVERY_MS = 10;
const THEN_EVERY_MS = 40;
const OFTEN = 100;
/**
 * A hang: this much time without any change of what is seen, and at least this many polls, so that
 * a process that got no processor time has not waited at all.
 */
const QUIET_MS = 180_000;
const QUIET_POLLS = 100;

/**
 * Polls until `poll` returns something true; rejects at once when it throws. There is no total
 * limit: it fails only after nothing has changed for long, and names `what` and the last value,
 * which is what `seen` returns, or else what the last poll returned.
 */
export async function until<Found>(
  what: string,
  poll: () => Found | Promise<Found>,
  seen?: () => unknown,
): Promise<NonNullable<Found>> {
  let last: string | null | undefined = null;
  let quiet = { polls: 0, since: performance.now() };
  for (let polls = 0; ; polls += 1) {
    const found = await poll();
    if (found) return found;
    const now = JSON.stringify(seen === undefined ? found : seen()) as string | undefined;
    if (now !== last) quiet = { polls, since: performance.now() };
    last = now;
    if (polls - quiet.polls >= QUIET_POLLS && performance.now() - quiet.since >= QUIET_MS) {
      throw new Error(`waited in vain: ${what}; last seen: ${String(last)}`);
    }
    await pause(polls < OFTEN ? POLL_EVERY_MS : THEN_EVERY_MS);
  }
}
