/** The usage of several hosts as one. Pure. */
import type { UsageFigures, UsageRow } from '$shared/schema/usage/usage.ts';

/** A row of one host, or the sum of its rows on several. */
export interface HostRow extends UsageRow {
  /** Of each host that has it, in the order of the hosts. */
  readonly parts: readonly { readonly name: string; readonly figures: UsageFigures }[];
}

interface HostRows {
  name: string;
  rows: readonly UsageRow[];
}

/** Null where none has it; the newest part of the sum is the newest of all. */
export function sumFigures(all: readonly UsageFigures[]): UsageFigures {
  const tokens = all.flatMap((each) => each.tokens ?? []);
  const costs = all.flatMap(({ cost }) => cost ?? []);
  const sum = (of: (each: (typeof tokens)[number]) => number) =>
    tokens.reduce((total, each) => total + of(each), 0);
  return {
    tokens:
      tokens.length === 0
        ? null
        : {
            input: sum(({ input }) => input),
            output: sum(({ output }) => output),
            cache_read: sum(({ cache_read: read }) => read),
            cache_write: sum(({ cache_write: written }) => written),
            ...witnessed(tokens),
          },
    cost:
      costs.length === 0
        ? null
        : {
            micro_usd: costs.reduce((total, each) => total + each.micro_usd, 0),
            ...witnessed(costs),
          },
  };
}

/** The most expensive first; with one host its own order. */
export function sumRows(hosts: readonly HostRows[]): HostRow[] {
  const parts = new Map<string | null, HostRow['parts'][number][]>();
  for (const { name, rows } of hosts) {
    for (const { key, tokens, cost } of rows) {
      const known = parts.get(key) ?? [];
      parts.set(key, [...known, { name, figures: { tokens, cost } }]);
    }
  }
  const sums = [...parts].map(([key, each]): HostRow => {
    return { key, ...sumFigures(each.map(({ figures }) => figures)), parts: each };
  });
  return hosts.length < 2 ? sums : sums.sort(byCost);
}

/** The most expensive first, then the most output. */
export function byCost(one: UsageFigures, other: UsageFigures): number {
  const costOf = ({ cost }: UsageFigures): number => cost?.micro_usd ?? -1;
  const outputOf = ({ tokens }: UsageFigures): number => tokens?.output ?? -1;
  return costOf(other) - costOf(one) || outputOf(other) - outputOf(one);
}

type Witnessed = Pick<NonNullable<UsageFigures['cost']>, 'sources' | 'latest_at'>;

function witnessed(all: readonly Witnessed[]): Witnessed {
  return {
    sources: [...new Set(all.flatMap(({ sources }) => sources))],
    latest_at:
      all
        .map(({ latest_at: at }) => at)
        .sort()
        .at(-1) ?? '',
  };
}
