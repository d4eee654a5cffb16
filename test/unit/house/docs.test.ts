/** Documentation and code agree: generated pages, reasons, links. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { PAGES, pageText } from '../../../reference/pages.ts';
import { describeSettings } from '../../../server/lib/config/describe-settings.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { EVENT_TYPES } from '../../../shared/schema/events/events.ts';
import { Reason } from '../../../shared/schema/reasons.ts';
import { reasonGroups } from '../../../web/lib/help/reason-entries.ts';

const ROOT = packageRoot();
const HAND_WRITTEN = [
  'README.md',
  'CONTRIBUTING.md',
  ...pagesIn('docs'),
  ...pagesIn('docs/decisions'),
  ...pagesIn('docs/spec'),
];

function pagesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The first cells of table rows that are inline code. */
function rowsOf(text: string): string[] {
  return [...text.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name = '']) => name);
}

it.each(Object.keys(PAGES))('AR10 %s is what `npm run docs` writes', async (path) => {
  expect(read(path), 'run: npm run docs').toBe(await pageText(path));
});

it('AR11 each reason has one entry under "Reason codes" in docs/troubleshooting.md', () => {
  const [, entries = ''] = read('docs/troubleshooting.md').split('\n## Reason codes\n');
  expect(rowsOf(entries).sort()).toEqual([...Reason.options].sort());
});

it('AR11 each event type and each setting has one entry, with what it means', () => {
  expect(rowsOf(read('docs/events.md'))).toEqual(EVENT_TYPES);
  expect(rowsOf(read('docs/settings.md'))).toEqual(describeSettings().map(({ name }) => name));
  const mute = describeSettings().filter(
    ({ standard, unset, meaning }) => meaning === '' || (standard === null && unset === ''),
  );
  expect(mute).toEqual([]);
});

it('AR12 each link of the documentation leads to an existing file and heading', () => {
  const broken = HAND_WRITTEN.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !leads(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

function leads(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  try {
    if (heading === undefined) {
      return readdirSync(join(ROOT, dirname(target))).includes(target.split('/').at(-1) ?? '');
    }
    const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchor(text));
    return headings.includes(heading);
  } catch {
    return false;
  }
}

/** As GitHub derives it from a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

it('AR11 the page shows every reason of the guide', () => {
  const groups = reasonGroups(read('docs/troubleshooting.md'));
  const shown = groups.flatMap(({ reasons }) => reasons.map(({ code }) => code));
  expect(shown.sort()).toEqual([...Reason.options].sort());
  expect(groups.filter(({ title, reasons }) => title === '' || reasons.length === 0)).toEqual([]);
});
