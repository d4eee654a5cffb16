/** What can happen to a log and its readers, and random sequences of it. */
import type { EventFilter } from '../../../server/events/event-stream.ts';
import type { Start } from '../events/delivery-reader.ts';
import type { Random } from '../house/random.ts';

export const READERS = 4;

export const FILTERS: readonly EventFilter[] = [
  { types: ['*'], sessions: null },
  { types: ['auto.*'], sessions: null },
  { types: ['session.closed', 'daemon.*'], sessions: null },
  { types: ['*'], sessions: ['even'] },
];

export type Operation =
  /** Events written in one transaction. */
  | { do: 'append'; count: number }
  /** A transaction that appends and then fails: nothing happened. */
  | { do: 'fail'; count: number }
  | { do: 'turn' }
  | { do: 'subscribe'; reader: number; filter: number; start: Start }
  | { do: 'stall'; reader: number }
  /** What is under way arrives: this many frames of it, or all from now on. */
  | { do: 'flow'; reader: number; frames: number | null }
  | { do: 'ack'; reader: number }
  | { do: 'cut'; reader: number }
  /** Every paused reader has been behind for 30 s. */
  | { do: 'late' }
  | { do: 'prune' }
  /** A backup is restored that lacks this many of the newest events. */
  | { do: 'restore'; lacks: number };

export function randomOperations(random: Random): Operation[] {
  const arrivals = Array.from({ length: READERS }, (_, reader): Operation => {
    const start = random.pick(['live', 'oldest'] as const);
    return { do: 'subscribe', reader, filter: random.int(0, 1) * reader, start };
  });
  const length = random.int(10, 45);
  return [...arrivals, ...Array.from({ length }, () => randomOperation(random))];
}

/** The schedule as text, to be read and to be kept. */
export function writeOperations(operations: readonly Operation[]): string {
  return operations.map((operation) => JSON.stringify(operation)).join(',\n');
}

function randomOperation(random: Random): Operation {
  const reader = random.int(0, READERS - 1);
  const dice = random.next();
  if (dice < 0.27) return { do: 'append', count: howMany(random) };
  if (dice < 0.3) return { do: 'fail', count: random.int(1, 3) };
  if (dice < 0.48) return { do: 'turn' };
  if (dice < 0.64) {
    const filter = random.int(0, FILTERS.length - 1);
    const elsewhere = random.pick(['live', 'oldest', 'future'] as const);
    return { do: 'subscribe', reader, filter, start: random.chance(0.85) ? 'cursor' : elsewhere };
  }
  if (dice < 0.7) return { do: 'stall', reader };
  if (dice < 0.76) {
    return { do: 'flow', reader, frames: random.chance(0.5) ? null : random.int(1, 30) };
  }
  if (dice < 0.86) return { do: 'ack', reader };
  if (dice < 0.93) return { do: 'cut', reader };
  if (dice < 0.96) return { do: 'prune' };
  if (dice < 0.99) return { do: 'late' };
  return { do: 'restore', lacks: random.int(0, 10) };
}

/** Usually few; now and then more than a reader may be behind, or than one page of the log. */
function howMany(random: Random): number {
  if (random.chance(0.02)) return random.int(500, 700);
  return random.chance(0.15) ? random.int(40, 120) : random.int(1, 12);
}
