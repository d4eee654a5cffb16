/** What a person sees of foreign text before approving it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hiddenIn, visibleParts } from '../../../shared/rules/text/visible-text.ts';

const shown = (text: string) =>
  visibleParts(text)
    .map((part) => part.text)
    .join('');

it('IB9 characters that reorder, hide or overwrite text are written out and named', () => {
  expect(shown('rm \u202etxt.exe')).toBe('rm \\u{202e}txt.exe');
  const found = {
    'right-to-left override': '\u202e',
    'first-strong isolate': '\u2068',
    'zero-width space': '\u200b',
    'zero-width no-break space': '\ufeff',
    'carriage return': '\r',
    escape: '\u001b',
    backspace: '\b',
    'control character': '\u009b',
    'no-break space': '\u00a0',
    'unusual blank': '\u2003',
    'invisible character': '\u3164',
  };
  for (const [name, character] of Object.entries(found)) {
    expect([...hiddenIn(`a${character}b${character}`)]).toEqual([[name, 2]]);
  }
  // A tag that only a machine reads, and a variation selector.
  expect(hiddenIn('\u{e0041}\u{fe0f}').get('invisible character')).toBe(2);
});

it('IB9 tabs and line ends are shown and are not hidden characters', () => {
  expect(shown('a\tb\nc')).toBe('a⇥\tb↵\nc');
  expect(hiddenIn('a\tb\nc').size).toBe(0);
});

it('IB9 plain text of any language stays as it is', () => {
  for (const text of ['git push --force', 'añadir', '日本語', 'שלום', '👍', '']) {
    expect(shown(text)).toBe(text);
    expect(hiddenIn(text).size).toBe(0);
  }
});

it('IB9 no text shows an invisible character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(shown(text).replaceAll(/[\t\n]/g, '')).not.toMatch(/\p{C}/u);
      const plain = visibleParts(text).filter(({ kind }) => kind === 'plain');
      expect(plain.every((part) => text.includes(part.text))).toBe(true);
    }),
  );
});
