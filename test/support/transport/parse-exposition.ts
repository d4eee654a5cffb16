/**
 * A strict parser of the text format of Prometheus, 0.0.4: one group for each metric, HELP and TYPE
 * once and first, no sample twice. Throws at the first line that breaks a rule.
 */

export interface ParsedFamily {
  type: string;
  help: string;
  /** By label set as written, `le="1"`; empty without labels; `_sum` or similar before it. */
  samples: Map<string, number>;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const NUMBER = '[+-]?(?:Inf|NaN|\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)';
const HELP_LINE = new RegExp(`^# HELP (${NAME}) ((?:[^\\\\]|\\\\[\\\\n])*)$`);
const TYPE_LINE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const SAMPLE_LINE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (${NUMBER})$`);

/** Metrics by name. */
export function parseExposition(text: string): Map<string, ParsedFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, ParsedFamily>();
  const lines = text.slice(0, -1).split('\n');
  let current: { name: string; family: ParsedFamily } | null = null;
  for (const [index, line] of lines.entries()) {
    const fail = (problem: string) => new Error(`line ${index + 1}: ${problem}: ${line}`);
    const [, helped, help = ''] = HELP_LINE.exec(line) ?? [];
    if (helped !== undefined) {
      if (families.has(helped)) throw fail('a metric has one group');
      const [, typed, type = ''] = TYPE_LINE.exec(lines[index + 1] ?? '') ?? [];
      if (typed !== helped) throw fail('its type does not follow');
      if (current?.family.samples.size === 0) throw fail('nothing before it');
      current = { name: helped, family: { type, help, samples: new Map() } };
      families.set(helped, current.family);
    } else if (line.startsWith('#')) {
      if (!TYPE_LINE.test(line) || !lines[index - 1]?.startsWith('# HELP'))
        throw fail('no comment');
    } else {
      const [, name, labels = '', value = ''] = SAMPLE_LINE.exec(line) ?? [];
      if (name === undefined) throw fail('no sample');
      if (current === null) throw fail('a sample without a type');
      const key = sampleKey(current.name, current.family.type, name, labels);
      if (key === null) throw fail(`not of ${current.name}`);
      const names = [...labels.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="/g)].map(([, label]) => label);
      if (new Set(names).size < names.length) throw fail('a label twice');
      if (current.family.samples.has(key)) throw fail('a sample twice');
      current.family.samples.set(key, Number(value.replace('Inf', 'Infinity')));
    }
  }
  for (const [name, family] of families) checkFamily(name, family);
  return families;
}

/** A histogram's samples have the suffix of their part, all others none. */
function sampleKey(family: string, type: string, name: string, labels: string): string | null {
  if (type !== 'histogram') return name === family ? labels : null;
  const suffix = name.slice(family.length);
  if (!name.startsWith(family) || !['_bucket', '_sum', '_count'].includes(suffix)) return null;
  return suffix === '_bucket' ? labels : suffix;
}

function checkFamily(name: string, { type, help, samples }: ParsedFamily): void {
  if (help === '') throw new Error(`${name} does not say what it means`);
  if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`${name} is no ${type}`);
  if (type === 'counter' && [...samples.values()].some((value) => !(value >= 0))) {
    throw new Error(`${name} is below 0`);
  }
  if (type !== 'histogram') return;
  const buckets = [...samples].filter(([key]) => key.startsWith('le="'));
  const counts = buckets.map(([, value]) => value);
  if (buckets.at(-1)?.[0] !== 'le="+Inf"') throw new Error(`${name} has no last bucket`);
  if (counts.some((count, index) => count < (counts[index - 1] ?? 0))) {
    throw new Error(`the buckets of ${name} do not grow`);
  }
  if (counts.at(-1) !== samples.get('_count')) throw new Error(`${name} is not counted once`);
  if (!samples.has('_sum')) throw new Error(`${name} has no sum`);
}
