/** A question is read at only one place; nothing makes the reader slow or throw. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTurnEnd } from '../../../server/agents/screen/activity-row.ts';
import { findPromptBox } from '../../../server/agents/screen/find-prompt-box.ts';
import { readableRows, type PlainScreen } from '../../../server/agents/screen/screen-rows.ts';
import { readStallPrompt } from '../../../server/policy/stall/read-stall-prompt.ts';
import {
  recordedScreen,
  SCREEN_NAMES,
  withRows,
} from '../../support/terminals/recorded-screens.ts';
import { STALL_SCREENS, WIDTHS } from '../../support/terminals/stall-screens.ts';

const PHRASES = [
  'Shall I continue?',
  'Do you want me to proceed?',
  'Continue? (y/n)',
  'Proceed? [Y/n]',
  'Would you like me to continue with step 3? (y/n)',
  'Continue?',
  'continue',
  'Keep going?',
  'Press enter to continue',
  'press any key to continue',
  'Do you want to proceed?',
  '$',
  '>',
  '❯',
  '%',
  "You've hit your 5-hour limit · resets 1:14pm (UTC)",
  'rate limit reached, try again later',
];
const MARKS = ['', '  ', '● ', '⏺ ', '  ⎿  ', '    ', '❯ ', '> '];

const RECORDED = SCREEN_NAMES.map((name) => [name, recordedScreen(name)] as const);
const SILENT = Object.values(STALL_SCREENS)
  .flat()
  .filter(({ prompt }) => prompt === null)
  .flatMap(({ name, draw }) => WIDTHS.map((columns) => [name, draw(columns)] as const));
/** The last text must not itself ask, apart from the text around it. */
const SCREENS = [...RECORDED, ...SILENT].filter(([, screen]) => {
  const last = placesAbove(screen).length - 1;
  return !/\?|y\/n|continue|press/i.test(readableRows(screen.rows)[last] ?? '');
});

it.each(RECORDED)('PO1 a recorded screen asks nothing: %s', (_name, screen) => {
  expect(readStallPrompt(screen)).toBeNull();
});

describe('what asks', () => {
  const phrase = fc
    .tuple(fc.constantFrom(...MARKS), fc.constantFrom(...PHRASES))
    .map((parts) => parts.join(''));

  it('PO2 is not read where part of the message, or anything of a line, is below it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SCREENS),
        phrase,
        fc.nat(),
        fc.boolean(),
        ([, screen], words, where, apart) => {
          const places = placesAbove(screen);
          const at = places[where % places.length] ?? 0;
          const rows = apart ? ['', words, ''] : [words];
          expect(readStallPrompt(withRows(screen, rows, at))).toBeNull();
        },
      ),
      { numRuns: 5_000, seed: 20_261_121 },
    );
  });

  it('PO2 is not read in the box or below it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SCREENS), phrase, fc.nat(), ([, screen], words, where) => {
        const box = findPromptBox(readableRows(screen.rows));
        fc.pre(box !== null);
        const places = screen.rows.length - box.top;
        const inserted = withRows(screen, [words], box.top + 1 + (where % places));
        expect(readStallPrompt({ ...inserted, cursor: screen.cursor })).toBeNull();
      }),
      { numRuns: 3_000, seed: 20_261_121 },
    );
  });

  it('PO3 is read as the last line of a message of the same screens', () => {
    const ended = RECORDED.filter(([, { rows }]) => rows.some((row) => isTurnEnd(row)));
    const read = ended.filter(([, screen]) => {
      const end = screen.rows.findLastIndex((row) => isTurnEnd(row));
      const asking = withRows(screen, ['● Shall I continue?', ''], end);
      return readStallPrompt(asking)?.kind === 'proceed';
    });
    // Screens at work, with a draft, or with another prompt below the end of that turn do not ask.
    expect(read.length).toBeGreaterThan(20);
    expect(read.length).toBeLessThan(ended.length);
  });

  it('PO4 is never read behind a shell', () => {
    for (const { draw } of STALL_SCREENS['prompts'] ?? []) {
      for (const program of ['bash', '-zsh', 'fish', 'sh']) {
        expect(readStallPrompt({ ...draw(120), program })).toBeNull();
      }
    }
  });

  it('PO4 is never read with the cursor elsewhere', () => {
    for (const { bare, draw } of STALL_SCREENS['prompts'] ?? []) {
      const screen = draw(120);
      const [row, column] = screen.cursor ?? [0, 0];
      const others: [number, number][] = bare
        ? [
            [row - 1, column],
            [row + 1, 0],
            [row, column - 2],
            [row, column + 3],
          ]
        : [
            [row, column + 1],
            [row, column + 7],
          ];
      for (const cursor of others) expect(readStallPrompt({ ...screen, cursor })).toBeNull();
    }
  });
});

describe('hostile screens', () => {
  const row = fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...MARKS),
        fc.array(fc.constantFrom(...PHRASES, ' ', '"', '`', '(y/n)'), { maxLength: 4 }),
      )
      .map(([mark, parts]) => mark + parts.join(' ')),
    fc.string({ unit: 'binary', maxLength: 60 }),
  );
  const cursor = fc.tuple(fc.integer({ min: -5, max: 60 }), fc.integer({ min: 0, max: 200 }));

  it('PO8 never throw, and give at most five lines', () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 40 }),
        cursor,
        fc.constantFrom('claude', 'node', 'zsh', ''),
        (rows, at, program) => {
          const box = ['─'.repeat(60), '❯', '─'.repeat(60)];
          for (const drawn of [rows, [...rows, '', ...box]]) {
            const prompt = readStallPrompt({ rows: drawn, cursor: at, program });
            expect(prompt?.lines.length ?? 1).toBeLessThanOrEqual(5);
          }
        },
      ),
      { numRuns: 3_000, seed: 20_261_121 },
    );
  });

  it.each([...PHRASES, 'a', 'a ', '(', ', ', '. A', 'remove ', 'm '])(
    'PO8 come to an end with a hundred kilobytes of "%s"',
    (piece) => {
      const long = piece.repeat(Math.ceil(100_000 / piece.length));
      const box = ['─'.repeat(60), '❯', '─'.repeat(60)];
      for (const mark of ['● ', '  ', '']) {
        const rows = [mark + long, ...Array.from({ length: 40 }, () => mark + long.slice(0, 490))];
        readStallPrompt({
          rows: [...rows, '● Shall I continue?', '', ...box],
          cursor: null,
          program: 'claude',
        });
        readStallPrompt({
          rows: ['● ok', ...rows, '  Shall I continue?', '', ...box],
          cursor: null,
          program: 'claude',
        });
        readStallPrompt({ rows: [...rows, 'Continue? (y/n)'], cursor: [41, 15], program: 'node' });
      }
    },
  );
});

/** Places with something below that belongs to the last message, or to the last line of a program. */
function placesAbove(screen: PlainScreen): number[] {
  const rows = readableRows(screen.rows);
  const end = findPromptBox(rows)?.top ?? rows.length;
  const last = rows.findLastIndex(
    (row, index) => index < end && row !== '' && !isTurnEnd(row) && !/^ {12}/.test(row),
  );
  return Array.from({ length: Math.max(last, 0) + 1 }, (_, index) => index);
}
