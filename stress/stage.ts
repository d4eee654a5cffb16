/** What a scenario plays on: the edge, chance from the seed, and a record of what was done. */
import type { Random } from '../test/support/random.ts';
import type { EdgeLink } from './edge-link.ts';
import type { EdgeState } from './edge-protocol.ts';
import type { TransportName } from '../shared/schema/transport-name.ts';

/** One thing a scenario found, and what it may be at most; or must be, with `exactly`. */
export interface Finding {
  what: string;
  value: number;
  unit?: 'ms' | 'MB';
  limit: { most: number } | { exactly: number };
}

export interface Stage {
  readonly engine: TransportName;
  readonly edge: EdgeLink;
  readonly random: Random;
  /** Takes how many a full run has; gives how many this one has. */
  count: (full: number) => number;
  /** Keeps what is done, for the report of a limit that was broken. */
  note: (operation: string) => void;
}

export interface Scenario {
  name: string;
  play: (stage: Stage) => Promise<Finding[]>;
}

export function exactly(what: string, value: number, wanted: number): Finding {
  return { what, value, limit: { exactly: wanted } };
}

export function atMost(what: string, value: number, most: number, unit?: Finding['unit']): Finding {
  return { what, value, limit: { most }, ...(unit === undefined ? {} : { unit }) };
}

/** Takes a finding; tells whether its limit was kept. What is not a number was not found. */
export function isKept({ value, limit }: Finding): boolean {
  return 'most' in limit ? value <= limit.most : value === limit.exactly;
}

/** Waits until the edge is as wanted, for a while; gives how it is then, whether it is or not. */
export async function settle(
  edge: EdgeLink,
  isWanted: (state: EdgeState) => boolean,
  limitMs = 5_000,
): Promise<EdgeState> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const state = await edge.state();
    if (isWanted(state) || performance.now() > deadline) return state;
    await moment(20);
  }
}

/** Waits until all are as wanted, for a while; gives how many are not. */
export async function left<Item>(
  items: readonly Item[],
  isWanted: (item: Item) => boolean,
  limitMs = 8_000,
): Promise<number> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const others = items.filter((item) => !isWanted(item)).length;
    if (others === 0 || performance.now() > deadline) return others;
    await moment(10);
  }
}

export async function moment(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
