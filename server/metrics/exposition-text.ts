/** Metrics as they are told: their samples, and the text format of Prometheus, version 0.0.4. */

type Labels = Readonly<Record<string, string>>;

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

/** Takes families with different names; gives the text. One without samples is left out. */
export function expositionText(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(familyText)
    .join('');
}

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

function familyText({ name, type, help, samples }: Family): string {
  const head = `# HELP ${name} ${escape(help)}\n# TYPE ${name} ${type}\n`;
  return head + samples.map((sample) => sampleText(name, sample)).join('');
}

function sampleText(name: string, { suffix, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${quoted(text)}"`);
  const set = pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
  return `${name}${suffix ?? ''}${set} ${numberText(value)}\n`;
}

/** As the format writes numbers that are none. */
function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function quoted(text: string): string {
  return escape(text).replaceAll('"', '\\"');
}

function samplesOf(told: Told): readonly Sample[] {
  if (told === null) return [];
  return typeof told === 'number' ? [{ labels: {}, value: told }] : told;
}
