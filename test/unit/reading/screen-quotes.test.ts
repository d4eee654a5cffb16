/** Text that an agent quotes is never taken for its state; hostile screens cost no more than others. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentGroup } from '../../../shared/schema/agents/agent-state.ts';
import { readScreen } from '../../../server/agents/screen/read-screen.ts';
import type { PlainScreen } from '../../../server/agents/screen/screen-rows.ts';
import {
  cutTo,
  recordedScreen,
  SCREEN_NAMES,
  withRows,
} from '../../support/terminals/recorded-screens.ts';

const QUOTES: Record<string, readonly string[]> = {
  spinner: ['✻ Waiting… (12s · ↓ 3 tokens · esc to interrupt)'],
  retry: ['✻ 529 Overloaded · retrying in 2s · attempt 4/10'],
  subagent: ['✻ Waiting for 2 background agents to finish'],
  dialog: ['Do you want to proceed?', '❯ 1. Yes', '  2. No', 'Esc to cancel · Tab to amend'],
  trust: [
    ' Accessing workspace:',
    ' ❯ No, exit',
    '   Yes, I trust this folder',
    ' Enter to confirm · Esc to cancel',
  ],
  limit: ["You've hit your 5-hour limit · resets 1:14pm (UTC)"],
  'limit on a corner': ["  ⎿  You've hit your 5-hour limit · resets 1:14pm (UTC)"],
  error: ['API Error: 529 Overloaded'],
  footer: ['  ⏸ manual mode on · esc to interrupt'],
  box: ['────────────────────', '❯ ', '────────────────────'],
};
/** Here quoted and drawn text cannot be distinguished; a foreground shell needs no reading. */
const NOT_READ = ['exited', 'unknown'];

/** Before the last prompt that was sent, or at the top; and in the middle of the last answer. */
function places({ rows }: PlainScreen): number[] {
  const prompts = rows.flatMap((row, index) =>
    /^[❯>›] \S/.test(row) &&
    !/^─/.test(rows[index - 1] ?? '') &&
    !/^(?:[❯›] \d|› Ask Codex)/.test(row)
      ? [index]
      : [],
  );
  const last = prompts.at(-1);
  if (last === undefined) return [0];
  const turnEnd = rows.findIndex((row, index) => index > last && /^✻ \S+ for \d+[ms]/.test(row));
  return turnEnd === -1 ? [last] : [last, turnEnd];
}

const GROUPS = SCREEN_NAMES.map((name) => [name, readScreen(recordedScreen(name)).state] as const);

describe.each(GROUPS.filter(([, state]) => !NOT_READ.includes(state)))('%s', (name, state) => {
  const screen = recordedScreen(name);
  // Such a screen shows less when it is cut; it is compared with itself.
  const group = { 120: agentGroup(state), 40: agentGroup(readScreen(cutTo(40, screen)).state) };

  it.each(Object.keys(QUOTES))('AG7 keeps its group under a quoted %s', (kind) => {
    const quote = QUOTES[kind] ?? [];
    const answers = [
      ['● Here is what I saw:', '', ...quote.map((row) => `  ${row}`), ''],
      [`● ${(quote[0] ?? '').trim()}`, ...quote.slice(1).map((row) => `  ${row}`), ''],
      ['      12 + ' + quote.join('\n      12 + ')].flatMap((rows) => rows.split('\n')),
    ];
    for (const at of places(screen)) {
      for (const answer of answers) {
        const quoting = withRows(screen, answer, at);
        expect(agentGroup(readScreen(quoting).state)).toBe(group[120]);
        expect(agentGroup(readScreen(cutTo(40, quoting)).state)).toBe(group[40]);
      }
    }
  });

  it.each(Object.keys(QUOTES))(
    'AG7 keeps its group with the plain rows of a %s in its midst',
    (kind) => {
      for (const at of places(screen)) {
        const quoting = withRows(screen, ['', ...(QUOTES[kind] ?? []), ''], at);
        expect(agentGroup(readScreen(quoting).state)).toBe(group[120]);
        expect(agentGroup(readScreen(cutTo(40, quoting)).state)).toBe(group[40]);
      }
    },
  );
});

describe('hostile screens', () => {
  const pieces = [
    '❯ ',
    '> ',
    '› ',
    '●',
    '⎿  ',
    '✻ ',
    '…',
    '─'.repeat(30),
    '│ > ',
    '╭──',
    '╰──',
    '▔▔▔▔',
    '1. Yes',
    'esc to interrupt',
    "You've hit your limit · resets 1pm",
    'Enter to confirm',
    ' for 3s',
    '  ',
    '\u00a0',
    '(1m 2s',
  ];
  const row = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 60 }),
  );
  const program = fc.constantFrom('claude', 'node', 'bash', '-zsh', 'vim', '');
  const cursor = fc.option(
    fc.tuple(fc.integer({ min: -5, max: 60 }), fc.integer({ min: 0, max: 200 })),
  );

  it('AG8 never throw, and always give a state with bounded text', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), cursor, program, (rows, at, name) => {
        const reading = readScreen({ rows, cursor: at, program: name });
        expect((reading.detail ?? '').length).toBeLessThanOrEqual(300);
        expect(name.endsWith('sh')).toBe(reading.state === 'exited');
      }),
      { numRuns: 3_000, seed: 20_261_121 },
    );
  });

  it.each([...pieces, 'a', '(', ' '])(
    'AG8 come to an end with a hundred kilobytes of "%s" in every row',
    (piece) => {
      const long = piece.repeat(Math.ceil(100_000 / piece.length));
      const rows = ['●', '❯ ', '✻ ', ' ❯ ', '  ⎿  ', '', '─────'].map((start) => start + long);
      readScreen({ rows, cursor: null, program: 'node' });
      readScreen({
        rows: Array.from({ length: 2_000 }, () => long.slice(0, 500)),
        cursor: null,
        program: 'node',
      });
    },
  );
});
