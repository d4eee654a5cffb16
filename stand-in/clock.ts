/**
 * The time of the stand-in: that of the system, or the one of a file, which a drill moves ahead.
 * `LOOPWATCH_STAND_IN_CLOCK` names the file: milliseconds that are added to the system's time. Who
 * moves it finds in the directory next to it until when each process waits.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeAtomically } from './files/write-atomically.ts';

const POLL_MS = 50;

/** Wall time in milliseconds since 1970. */
export function nowMs(): number {
  const file = clockFile();
  return Date.now() + (file === null ? 0 : Number(readFileSync(file, 'utf8')));
}

/** Resolves after that many milliseconds of this clock; rejects when `signal` aborts. */
export async function pause(byMs: number, signal?: AbortSignal): Promise<void> {
  const file = clockFile();
  if (file === null) return delay(byMs, undefined, { signal });
  const untilMs = nowMs() + byMs;
  const waiting = path.join(`${file}.waits`, String(process.pid));
  mkdirSync(path.dirname(waiting), { recursive: true });
  writeAtomically(waiting, String(untilMs), `${waiting}.tmp`);
  try {
    for (let leftMs = byMs; leftMs > 0; leftMs = untilMs - nowMs()) {
      await delay(Math.min(leftMs, POLL_MS), undefined, { signal });
    }
  } finally {
    rmSync(waiting, { force: true });
  }
}

function clockFile(): string | null {
  return process.env.LOOPWATCH_STAND_IN_CLOCK || null;
}
