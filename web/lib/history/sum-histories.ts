/** The histories of several hosts as one: sums over the same range. Pure. */
import type { ReportShare } from '$shared/schema/usage/report.ts';
import type { UnitHistory } from '$shared/schema/events/history.ts';

type Sums = Omit<UnitHistory, 'units' | 'next'>;
type Choices = UnitHistory['choices'];
interface Counted {
  value: string;
  count: number;
}

/** In the steps of the first; null without any. The log begins where the oldest one does. */
export function sumHistories(histories: readonly UnitHistory[]): Sums | null {
  const [first, ...others] = histories;
  if (first === undefined) return null;
  if (others.length === 0) return first;
  const shares = Object.keys(first.seconds) as ReportShare[];
  const summed = <Value>(of: (share: ReportShare) => Value) =>
    Object.fromEntries(shares.map((share) => [share, of(share)])) as Record<ReportShare, Value>;
  return {
    ...first,
    log_begins: histories.flatMap(({ log_begins: at }) => at ?? []).sort()[0] ?? null,
    total: sumOf(histories.map(({ total }) => total)),
    seconds: summed((share) => sumOf(histories.map(({ seconds }) => seconds[share]))),
    activity: {
      step_ms: first.activity.step_ms,
      counts: summed((share) => sumSteps(first, histories, share)),
    },
    choices: {
      kinds: sumCounts(histories, ({ kinds }) => kinds) as Choices['kinds'],
      states: sumCounts(histories, ({ states }) => states) as Choices['states'],
      projects: sumCounts(histories, ({ projects }) => projects),
      people: sumCounts(histories, ({ people }) => people),
    },
  };
}

/** Ranges that end now are some seconds apart: a step is found by its middle. */
function sumSteps(first: UnitHistory, histories: readonly UnitHistory[], share: ReportShare) {
  const sinceMs = Date.parse(first.since);
  const { step_ms: stepMs, counts } = first.activity;
  return counts[share].map((_, n) => {
    const middleMs = sinceMs + (n + 0.5) * stepMs;
    return sumOf(
      histories.map(({ since, activity }) => {
        const row = activity.counts[share];
        const at = Math.floor((middleMs - Date.parse(since)) / activity.step_ms);
        return row[Math.min(row.length - 1, Math.max(0, at))] ?? 0;
      }),
    );
  });
}

function sumCounts(
  histories: readonly UnitHistory[],
  of: (choices: Choices) => readonly Counted[],
): Counted[] {
  const sums = new Map<string, number>();
  for (const { choices } of histories) {
    for (const { value, count } of of(choices)) sums.set(value, (sums.get(value) ?? 0) + count);
  }
  return [...sums].map(([value, count]) => ({ value, count }));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
