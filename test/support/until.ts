import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 10;

/** Waits until `look` gives something true; rejects with `what` when that takes too long. */
export async function until<Found>(
  what: string,
  look: () => Found | Promise<Found>,
  limitMs = 40_000,
): Promise<NonNullable<Found>> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`waited ${limitMs} ms in vain: ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}
