/** The text format of Prometheus, version 0.0.4. */
import type { Family, Sample } from './family.ts';

/** Takes families with different names; gives the text. One without samples is left out. */
export function expositionText(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(familyText)
    .join('');
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
