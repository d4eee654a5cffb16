/** The normalized screen of anything a terminal may show: normalizing is idempotent and cheap. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalizedScreen } from '../../../server/policy/stall/normalized-screen.ts';
import { recordedScreen, SCREEN_NAMES } from '../../support/terminals/recorded-screens.ts';

const PIECES = [
  '❯ ',
  '> ',
  '● ',
  '  ⎿  ',
  '  ⎿  Tip: ',
  '✻ ',
  '⠧ ',
  '· ',
  '…',
  '...',
  '─'.repeat(30),
  '│ > ',
  '╭──',
  '╰──',
  'Running',
  '(12s',
  ' · 3s',
  '1m 2s',
  ')',
  '()',
  '( · ',
  ', ',
  ' for 3s',
  '12:31 PM',
  '↓ 1.2k tokens',
  'esc to interrupt',
  'Bash(x)',
  '  ',
  ' ',
  '\u00a0',
  '█',
  'word',
  '  Bash(',
  '5',
];
const row = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .array(fc.constantFrom(...PIECES), { maxLength: 7 })
      .map((parts) => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'binary', maxLength: 40 })
      .map((text) => text.replaceAll('\n', ' ')),
  },
);
/** Most clients end with a box; without one nothing is known about their rows. */
const box = fc.constantFrom<string[]>(
  [],
  ['─'.repeat(40), '❯ ', '─'.repeat(40)],
  ['╭────', '│ > ', '╰────'],
);
const screen = fc
  .tuple(
    fc.array(row, { maxLength: 30 }),
    box,
    fc.array(
      row.map((text) => `  ${text}`),
      { maxLength: 3 },
    ),
  )
  .map((parts) => parts.flat());

it('PO11 normalizing a normalized screen changes nothing', () => {
  fc.assert(
    fc.property(screen, (rows) => {
      const once = normalizedScreen(rows);
      expect(normalizedScreen(once.split('\n'))).toBe(once);
    }),
    { numRuns: 5_000, seed: 20_261_121 },
  );
});

it.each(SCREEN_NAMES)('PO11 normalizing a normalized screen changes nothing: %s', (name) => {
  const once = normalizedScreen(recordedScreen(name).rows);
  expect(normalizedScreen(once.split('\n'))).toBe(once);
});

it.each([...PIECES, 'a', '1', '(1', '1 '])(
  'PO8, PO11 normalizing ends with a hundred kilobytes of "%s" in every row',
  (piece) => {
    const long = piece.repeat(Math.ceil(100_000 / piece.length));
    const starts = ['● ', '✻ ', '  ⎿  ', '  Running ', '─'.repeat(40), '❯ ', '─'.repeat(40), '  '];
    const normalized = normalizedScreen(starts.map((start) => start + long));
    // Normalized again it is the same, also when it is long.
    expect(normalizedScreen(normalized.split('\n')) === normalized).toBe(true);
    normalizedScreen(
      Array.from(
        { length: 2_000 },
        (_, index) => `${starts[index % 8] ?? ''}${long.slice(0, 500)}`,
      ),
    );
    normalizedScreen([
      ...Array.from({ length: 390 }, () => long.slice(0, 500)),
      '─'.repeat(40),
      '❯',
      '─'.repeat(40),
    ]);
  },
);
