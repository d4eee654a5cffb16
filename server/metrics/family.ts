/** One metric as it is told: what it is called, what it means, and its samples. */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** What the name of this sample adds to that of its family: the parts of a histogram. */
  suffix?: '_bucket' | '_sum' | '_count';
  labels: Labels;
  value: number;
}

export interface Family {
  /** Lower case, with its unit; a counter ends in `_total`. */
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  samples: readonly Sample[];
}

/** A number or samples by label; null is a figure this machine does not have, and tells nothing. */
type Told = number | null | readonly Sample[];

/** Takes what goes up and down. */
export function gauge(name: string, help: string, told: Told): Family {
  return { name, type: 'gauge', help, samples: samplesOf(told) };
}

/** Takes what only grows while the daemon runs. */
export function counter(name: string, help: string, told: Told): Family {
  return { name, type: 'counter', help, samples: samplesOf(told) };
}

/** Takes a label and a number for each of its values; gives a sample for each. */
export function by(label: string, numbers: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(numbers).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

function samplesOf(told: Told): readonly Sample[] {
  if (told === null) return [];
  return typeof told === 'number' ? [{ labels: {}, value: told }] : told;
}
