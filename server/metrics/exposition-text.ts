/** Metrics: their samples, and the text format of Prometheus, version 0.0.4. */

type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** Appended to the name of the family: the parts of a histogram. */
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

/**
 * A number or samples by label; null is a figure this machine does not have, and gives no sample.
 */
type Figure = number | null | readonly Sample[];

/** Families have different names. One without samples is left out. */
export function expositionText(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(familyText)
    .join('');
}

export function gauge(name: string, help: string, figure: Figure): Family {
  return { name, type: 'gauge', help, samples: samplesOf(figure) };
}

/** Only grows while the daemon runs. */
export function counter(name: string, help: string, figure: Figure): Family {
  return { name, type: 'counter', help, samples: samplesOf(figure) };
}

/** One sample for each value of a label. */
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

/** The format's spelling of infinite numbers and NaN. */
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

function samplesOf(figure: Figure): readonly Sample[] {
  if (figure === null) return [];
  return typeof figure === 'number' ? [{ labels: {}, value: figure }] : figure;
}
