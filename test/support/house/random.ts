/** Reproducible randomness: what is random in a test comes from one seed, and a failure names it. */

/**
 * How much the tests of `test/drills` repeat: a little when run one by one, minutes of it in `npm
 * run test:middle`, hours in `npm run test:long`. `npm run test:slow` takes the middle as well.
 */
const VOLUMES = ['short', 'middle', 'long'] as const;
export const VOLUME =
  VOLUMES.find((name) => name === process.env['LOOPWATCH_TEST_VOLUME']) ?? 'short';

/** Picks the count of this run's volume. */
export function sized<Size>(sizes: Record<(typeof VOLUMES)[number], Size>): Size {
  return sizes[VOLUME];
}

export class Random {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From `least` to `most`, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}

/** How often each place in the tests has drawn. */
const calls = new Map<string, number>();

/**
 * Runs a test on random numbers. Two runs of a tree draw the same, by the place and the count of
 * its calls; the long volume draws something else each time, to find new faults.
 * LOOPWATCH_TEST_SEED repeats a run that failed, and `random` explores at any volume.
 */
export async function seeded(act: (random: Random) => void | Promise<void>): Promise<void> {
  const given = process.env['LOOPWATCH_TEST_SEED'] ?? (VOLUME === 'long' ? 'random' : 'usual');
  const usual = usualSeed(/[^/]+\.ts:\d+/.exec(new Error().stack?.split('\n')[2] ?? '')?.[0] ?? '');
  const chosen = given === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  const seed = given === 'usual' ? usual : chosen;
  try {
    await act(new Random(seed));
  } catch (error) {
    if (error instanceof Error) error.message = `LOOPWATCH_TEST_SEED=${seed}: ${error.message}`;
    throw error;
  }
}

/** FNV-1a over the place of a call and how often it has called before. */
function usualSeed(place: string): number {
  const count = (calls.get(place) ?? 0) + 1;
  calls.set(place, count);
  let hash = 0x811c9dc5;
  for (const letter of `${place} ${count}`) {
    hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  }
  return hash;
}
