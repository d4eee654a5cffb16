/** The rules of docs/spec and the titles of tests: no rule without a test, no test without a rule. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { specFiles } from '../../support/house/spec-rules.ts';

const ROOT = packageRoot();

/** A title, or a row of a table of titles: it begins with its rules, followed by text. */
const TITLE = /['"`]((?:[A-Z]{2}\d+,? )*[A-Z]{2}\d+) \S/g;

const INDEX = 'spec/README.md';
const files = specFiles();
const rules = files.flatMap((file) => file.rules);

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

it('AR5 each rule is in docs/spec once, and a test cites it', () => {
  expect(rules.length).toBeGreaterThan(300);
  expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([]);
  expect(rules.filter((rule) => !citedIn.has(rule))).toEqual([]);
});

it('AR5 each family has a file of its own, named after it, and the index lists it', () => {
  const index = files.find(({ path }) => path === INDEX)?.text;
  for (const { path, text, rules } of files.filter(({ path }) => path !== INDEX)) {
    const [, name = '', prefix = ''] = /^# (.+) \(([A-Z]{2})\)\n/.exec(text) ?? [];
    const file = `${name.toLowerCase().replaceAll(' ', '-')}.md`;
    expect(path).toBe(`spec/${file}`);
    expect(index).toContain(`\n- [${name} (${prefix})](${file}): `);
    expect(rules.filter((rule) => rule.slice(0, 2) !== prefix)).toEqual([]);
  }
});

it('AR5 a test cites only rules of docs/spec', () => {
  const unknown = [...citedIn].filter(([rule]) => !rules.includes(rule));
  expect(unknown).toEqual([]);
});
