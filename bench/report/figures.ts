/** A measurement: a value with its unit, and its goal. */
import { median, percentile } from './statistics.ts';

export interface Goal {
  direction: 'at least' | 'at most';
  value: number;
  /** What the value was measured against in the same run; absent where the goal is absolute. */
  against?: string;
  /** Why it may be missed, as profiled, and what would have to change. */
  ifMissed?: string;
}

export interface Figure {
  name: string;
  value: number;
  unit: string;
  goal?: Goal;
  /** Context needed to read the value. */
  remark?: string;
  /** Where a chart of the documentation has it. */
  chart?: { resource: string; axis: string; size: number };
}

/** Whether the goal is met, and otherwise how far away it is. */
export function verdict(value: number, goal: Goal): string {
  if (Number.isNaN(value)) return 'not measured';
  const isMet = goal.direction === 'at least' ? value >= goal.value : value <= goal.value;
  if (isMet) return 'met';
  const far = Math.abs(value / goal.value - 1) * 100;
  return `missed by ${Number.isFinite(far) ? far.toFixed(0) : '?'} %`;
}

/** Two decimals below a thousand, none above. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '—';
  return Math.abs(value) >= 1_000 ? value.toFixed(0) : value.toFixed(2);
}

/** Empty without a goal. */
export function goalText({ unit, goal }: Figure): string {
  if (goal === undefined) return '';
  const value = `${goal.direction === 'at least' ? '≥' : '≤'} ${goal.value} ${unit}`.trim();
  return goal.against === undefined ? value : `${value} ${goal.against}`;
}

/** The rows p50, p99 and max of times in milliseconds, by round: medians of the rounds, and the largest. */
export function timeFigures(
  name: string,
  rounds: readonly (readonly number[])[],
  goals: { p50?: number; p99?: number; ifMissed?: string } = {},
): Figure[] {
  const { ifMissed } = goals;
  const row = (label: string, share: number, goal: number | undefined): Figure => {
    const values = rounds.map((samples) => percentile(samples, share));
    const figure = { name: `${name}, ${label}`, value: median(values), unit: 'ms' };
    const judged: Pick<Figure, 'goal'> =
      goal === undefined
        ? {}
        : { goal: { direction: 'at most', value: goal, ...(ifMissed && { ifMissed }) } };
    return { ...figure, ...judged, ...spread(values) };
  };
  const largest = rounds.map((samples) => percentile(samples, 1));
  return [
    row('p50', 0.5, goals.p50),
    row('p99', 0.99, goals.p99),
    { name: `${name}, max`, value: Math.max(...largest), unit: 'ms' },
  ];
}

/** As a remark, the smallest and the largest of several rounds. */
export function spread(values: readonly number[]): Pick<Figure, 'remark'> {
  if (values.length < 2) return {};
  const ends = [Math.min(...values), Math.max(...values)].map(shown).join('–');
  return { remark: `${ends} in ${values.length} rounds` };
}
