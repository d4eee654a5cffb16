/** What a measurement says: percentiles of many, and rows of one table. */

export interface Figure {
  name: string;
  value: number;
  unit: string;
}

/** Takes samples and a share from 0 to 1; gives the sample that so many lie at or below. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** Takes times in milliseconds; gives the rows p50, p99 and max. */
export function timeFigures(name: string, samples: readonly number[]): Figure[] {
  return [
    { name: `${name}, p50`, value: percentile(samples, 0.5), unit: 'ms' },
    { name: `${name}, p99`, value: percentile(samples, 0.99), unit: 'ms' },
    { name: `${name}, max`, value: Math.max(...samples), unit: 'ms' },
  ];
}

/** Takes figures; gives the lines of a table and, as the last one, all of them as JSON. */
export function report(figures: readonly Figure[]): string[] {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const rows = figures.map(
    ({ name, value, unit }) => `${name.padEnd(width)}  ${round(value).padStart(10)} ${unit}`,
  );
  const json = Object.fromEntries(
    figures.map(({ name, value, unit }) => [`${name} (${unit})`, Number(round(value))]),
  );
  return [...rows, JSON.stringify(json)];
}

function round(value: number): string {
  return value >= 1_000 ? value.toFixed(0) : value.toFixed(2);
}
