/** Figures of the ledger as text, and rows as the page lists them. Pure. */
import type { UsageFigures } from '$shared/schema/usage/usage.ts';
import { formatCost, formatTokens } from '$lib/ui/text/amounts.ts';
import type { HostRow } from './sum-usage.ts';

const DAY_MS = 86_400_000;

export const RANGES = { today: 1, week: 7, month: 30 } as const;
export type RangeName = keyof typeof RANGES;
export const RANGE_LABEL: Record<RangeName, string> = {
  today: 'Today',
  week: '7 days',
  month: '30 days',
};

export function isRangeName(word: string | null): word is RangeName {
  return word !== null && Object.hasOwn(RANGES, word);
}

/** The days of a range in UTC, newest first. */
export function daysOf(range: RangeName, nowMs: number): string[] {
  return Array.from({ length: RANGES[range] }, (_, ago) =>
    new Date(nowMs - ago * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Null where no client reported a cost: nothing is priced. */
export function costText({ cost }: Pick<UsageFigures, 'cost'>): string | null {
  return cost === null ? null : formatCost(cost.micro_usd / 1e6);
}

/** Output tokens, as limits count them. */
export function tokensText({ tokens }: Pick<UsageFigures, 'tokens'>): string | null {
  return tokens === null ? null : formatTokens(tokens.output);
}

/** "1,200 in, 340 out, 5,000 from cache", for a title. */
export function tokensDetail({ tokens }: Pick<UsageFigures, 'tokens'>): string {
  if (tokens === null) return 'No tokens were reported';
  const { input, output, cache_read: cached, cache_write: written } = tokens;
  const [i, o, c, w] = [input, output, cached, written].map((n) => n.toLocaleString('en'));
  return `${i} input, ${o} output, ${c} read from cache, ${w} written to cache`;
}

/** When the newest part of a figure was read; null where nothing was. */
export function latestAt({ tokens, cost }: UsageFigures): string | null {
  const times = [tokens?.latest_at, cost?.latest_at].filter((each) => each !== undefined);
  return times.sort().at(-1) ?? null;
}

const NO_FIGURES: UsageFigures = { tokens: null, cost: null };

/** Every day of the range, also those without usage. */
export function everyDay(rows: readonly HostRow[], days: readonly string[]): HostRow[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  return days.map((key) => known.get(key) ?? { key, ...NO_FIGURES, parts: [] });
}

/** For bars: cost where any row has one, else output tokens. 0 to 1. */
export function sharesOf(rows: readonly UsageFigures[]): number[] {
  const hasCost = rows.some(({ cost }) => cost !== null);
  const amounts = rows.map(({ tokens, cost }) =>
    hasCost ? (cost?.micro_usd ?? 0) : (tokens?.output ?? 0),
  );
  const most = Math.max(...amounts, 0);
  return amounts.map((amount) => (most === 0 ? 0 : amount / most));
}

export const WORK_KINDS = ['all', 'task', 'run', 'loop', 'session'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];
export const WORK_LABEL: Record<WorkKind, string> = {
  all: 'All',
  task: 'Tasks',
  run: 'Runs',
  loop: 'Loops',
  session: 'Sessions',
};

/** A subject such as `task:fix-login`; its page, where it has one. */
export function workOf(key: string): { kind: string; name: string; path: string | null } {
  const [kind = '', ...rest] = key.split(':');
  const name = rest.join(':');
  const id = encodeURIComponent(name);
  const paths: Record<string, string> = {
    task: `/tasks/${id}`,
    run: `/runs/${id}`,
    loop: `/sessions/${id}`,
    session: `/sessions/${id}`,
    respawn: `/sessions/${id}`,
  };
  return { kind, name, path: paths[kind] ?? null };
}
