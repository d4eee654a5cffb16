import { expect, it } from 'vitest';
import { fuzzyMatch } from '../../../../web/lib/palette/fuzzy-match.ts';
import { findEntries, type PaletteEntry } from '../../../../web/lib/palette/palette-entries.ts';

it.each([
  ['', 'Overview', []],
  ['ov', 'Overview', [0, 1]],
  ['OV', 'overview', [0, 1]],
  ['fl', 'fix-login', [0, 4]],
  ['ta', 'Start Tasks', [6, 7]],
  ['g t', 'Go to', [0, 3]],
  ['login', 'fix-login', [4, 5, 6, 7, 8]],
])('PL2 %j finds %j by its letters in order', (query, text, places) => {
  expect(fuzzyMatch(query, text)?.places).toEqual(places);
});

it.each([
  ['vo', 'Overview'],
  ['overviews', 'Overview'],
  ['x', 'Overview'],
])('PL2 %j does not find %j', (query, text) => {
  expect(fuzzyMatch(query, text)).toBeNull();
});

function entry(text: string): PaletteEntry {
  return { id: text, kind: 'Task', text, note: '', keys: '', run: () => undefined };
}

it('PL3 the best match is first: the start, whole parts, words, then letters', () => {
  const texts = ['slow-login', 'login', 'log in', 'fix-login', 'l-o-g', 'blog'];
  const found = findEntries(texts.map(entry), 'log', []).map(({ text }) => text);
  expect(found[0]).toBe('login');
  expect(found.indexOf('fix-login')).toBeLessThan(found.indexOf('blog'));
  expect(found).toHaveLength(6);
});

it('PL3 the matched letters are marked, and put together give the text', () => {
  const [found] = findEntries([entry('fix-login')], 'fl', []);
  expect(found?.parts).toEqual([
    { text: 'f', isMatch: true },
    { text: 'ix-', isMatch: false },
    { text: 'l', isMatch: true },
    { text: 'ogin', isMatch: false },
  ]);
});

it('PL4 without a query the ones used last are first, then all in their order', () => {
  const found = findEntries(['a', 'b', 'c', 'd'].map(entry), '', ['c', 'gone', 'b']);
  expect(found.map(({ text }) => text)).toEqual(['c', 'b', 'a', 'd']);
});

it('PL5 of thousands only fifty are drawn, the best', () => {
  const entries = Array.from({ length: 5_000 }, (_, n) => entry(`task-${n}`));
  const found = findEntries([...entries, entry('tk')], 'tk', []);
  expect(found).toHaveLength(50);
  expect(found[0]?.text).toBe('tk');
});
