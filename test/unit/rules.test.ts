/** The rules of docs/spec.md and the titles of tests hold each other: no rule without a test, no test without a rule. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../server/lib/package-root.ts';

const ROOT = packageRoot();

const RULE = /^- \*\*([A-Z]{2}\d+)\*\* /gm;
/** A title, or a row of a table of titles: it begins with its rules, and words follow. */
const TITLE = /['"`]((?:[A-Z]{2}\d+,? )*[A-Z]{2}\d+) \S/g;

const rules = matches(readFileSync(join(ROOT, 'docs/spec.md'), 'utf8'), RULE);

const citedIn = new Map<string, string>();
for (const file of readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts') || /^(fixtures|support)\//.test(file)) continue;
  const text = readFileSync(join(ROOT, 'test', file), 'utf8');
  for (const rule of matches(text, TITLE).flatMap((cited) => cited.split(/,? /))) {
    citedIn.set(rule, file);
  }
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

it('AR5 each rule has one place in docs/spec.md, and a test cites it', () => {
  expect(rules.length).toBeGreaterThan(300);
  expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([]);
  expect(rules.filter((rule) => !citedIn.has(rule))).toEqual([]);
});

it('AR5 a test cites only rules that docs/spec.md has', () => {
  const unknown = [...citedIn].filter(([rule]) => !rules.includes(rule));
  expect(unknown).toEqual([]);
});
