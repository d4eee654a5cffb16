import { setTimeout } from 'node:timers/promises';

/**
 * Acts this often, `betweenMs` from one start to the next; `act` returns how long it took, in ms. One
 * that could not start when it was due, because the one before took longer, counts from then: a slow
 * answer hides no other.
 */
export async function timed(
  count: number,
  betweenMs: () => number,
  act: () => Promise<number>,
  pause: (ms: number) => Promise<unknown> = setTimeout,
): Promise<number[]> {
  const samples: number[] = [];
  let behindMs = 0;
  for (let n = 0; n < count; n += 1) {
    const sinceDueMs = behindMs + (await act());
    samples.push(sinceDueMs);
    behindMs = sinceDueMs - betweenMs();
    if (behindMs < 0) await pause(-behindMs);
    behindMs = Math.max(0, behindMs);
  }
  return samples;
}
