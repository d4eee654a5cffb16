/** What a scenario runs on: the edge, randomness from the seed, and a record of the operations. */
import type { Random } from '../support/house/random.ts';
import type { EdgeLink } from './edge-link.ts';
import type { EdgeState } from './edge-protocol.ts';
import type { TransportName } from '../../shared/schema/transport-name.ts';

/** One measurement of a scenario, and its upper limit; or the exact value, with `exactly`. */
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
  /** How many this run has when a full run has `full`. */
  count: (full: number) => number;
  /** Keeps the operation for the report of a broken limit. */
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

/** Whether the limit was kept. A value that is not a number breaks it. */
export function isKept({ value, limit }: Finding): boolean {
  return 'most' in limit ? value <= limit.most : value === limit.exactly;
}

/** Waits a while until the edge is as wanted; returns its last state either way. */
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

/** Waits a while until all are as wanted; returns how many are not. */
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
