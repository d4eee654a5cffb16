/** Words that are avoided in code, comments, texts and documentation: each has a plain equivalent. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../server/lib/package-root.ts';

const ROOT = packageRoot();
const FOLDERS =
  'server shared web/lib web/routes stand-in bench shots reference plugin examples docs test';
const PAGES = ['README.md', 'CONTRIBUTING.md'];

/** Each avoided word, and what to write instead. */
const AVOIDED: readonly (readonly [RegExp, string])[] = [
  [/\b(told|tells?|telling)\b/i, 'notify, report, say, distinguish'],
  [/\banew\b/i, 'again'],
  [/\bheed(s|ed|ing)?\b/i, 'observe'],
  [/\b(whoever|whomever)\b/i, 'anyone who, the person who'],
  [/\b(some|every|no|any)body\b/i, 'someone, everyone, no one, or a role'],
  [/\bby (itself|himself|themselves)\b/i, 'automatically, on its own'],
  [/\b(afresh|forthwith|seldom|newcomers?|for want of|and the like)\b/i, 'a modern word'],
  [/\bwhatever\b/i, 'any, everything that, also when'],
  [/\bof now\b/i, 'current'],
  [/\b(the|this|that|its) very (?!\w+ly\b|few\b|first\b|last\b|same\b)\w/i, 'exact, same'],
  [/\basked on\b/i, 'nudged'],
  [/\b(go|goes|went|gone|going) on\b(?! (with|the|a|an|their|its)\b)/i, 'continue'],
  [/\b(stand|stands|stood|standing) still\b/i, 'stall, stop'],
  [/\b(become|becomes|became) of\b/i, 'result, outcome'],
  [/\b(comes?|came) of\b/i, 'result'],
  [/\b(give|gives|gave|given|giving) up\b/i, 'abandon, fail, stop retrying'],
  [/\b(take|takes|took|taken|taking) up (?!to\b)/i, 'start, continue from'],
  [/\b(let|lets|letting) go\b/i, 'release'],
  [/\btak(e|es|ing|en) back what\b/i, 'cancel'],
  [/\blook(s|ed|ing)? (at|into|after)\b/i, 'check, read, probe'],
  [/\bbeside\b/i, 'next to'],
  [/\bapart by\b/i, 'separated by'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bin all\b(?=[.,;:)]|$)/i, 'total, in total'],
  [/\btill\b/i, 'until'],
  [/\bpictures?\b/i, 'snapshot, image, diagram'],
  [/\bspeaks? against\b/i, 'prevents'],
  [
    /\b(whilst|amongst|thus|hence|whence|thence|hither|thither|upon|lest|ere|nought)\b/i,
    'a modern word',
  ],
  [/\b(there|here|where)(of|in|upon|with)\b/i, 'a modern word'],
  [/\bhappenings?\b/i, 'input, event'],
  [/\bTakes [^.;]*; gives\b/, 'purpose, units and errors'],
  [/\w*(Happening|Picture|[lL]etGo|[gG]oesOn|[lL]ineUp|[cC]almP|Heed)\w*/, 'a name of the field'],
];

/** Files with text of others: what agents say, and the patterns that read it. */
const FOREIGN_TEXT = [
  /^server\/policy\//,
  /^server\/agents\//,
  /^stand-in\/headless\//,
  /^test\/fixtures\//,
  /^shots\/tasks\.ts/,
];

/** Published names, reserved ones, and the words for taking control of a terminal. */
const ALLOWED: readonly (readonly [string, string])[] = [
  ['server/db/published-head.ts', 'told-head.json'],
  ['docs/decisions/0026-published-events-that-were-lost.md', 'told-head.json'],
  ['server/db/schema.ts', "blob('picture'"],
  ['shared/schema/people/person-name.ts', "'nobody',"],
  ['shared/schema/people/person-name.ts', "'somebody',"],
];

const SELF = 'test/unit/house/plain-language.test.ts';

function* files(): Generator<string> {
  yield* PAGES;
  for (const folder of FOLDERS.split(' ')) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (/\.(ts|svelte|mjs|md)$/.test(entry)) yield join(folder, entry);
    }
  }
}

/** A test plays agents and people: of its lines only comments and titles are read. */
function isOurs(path: string, line: string): boolean {
  if (!path.startsWith('test/')) return true;
  return /^\s*(\/\*\*|\/\/|\*)/.test(line) || /['"`](?:[A-Z]{2}\d+,? )+\S/.test(line);
}

function findings(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    if (!isOurs(path, line)) return [];
    if (ALLOWED.some(([file, part]) => file === path && line.includes(part))) return [];
    const found = AVOIDED.find(([word]) => word.test(line));
    return found === undefined
      ? []
      : [`${path}:${index + 1} ${line.trim().slice(0, 160)} (${found[1]})`];
  });
}

it('no name, comment, text, title or page has an avoided word', () => {
  const paths = [...files()].filter(
    (path) => path !== SELF && !FOREIGN_TEXT.some((place) => place.test(path)),
  );
  expect(paths.length).toBeGreaterThan(1_000);
  const found = paths.flatMap((path) => findings(path, readFileSync(join(ROOT, path), 'utf8')));
  expect(found).toEqual([]);
});
