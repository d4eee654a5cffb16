/** Changes by the clock leave the normalized screen as it is; changes by the work do not. */
import { describe, expect, it } from 'vitest';
import { normalizedScreen } from '../../../server/policy/stall/normalized-screen.ts';
import { type Drawing, drawScreen } from '../../support/terminals/draw-screen.ts';
import { recordedScreen } from '../../support/terminals/recorded-screens.ts';

const SAID = ['❯ fix the tests', '', '● I will look at the failing tests first.', ''];

function working(...activity: string[]): Drawing {
  return { above: [...SAID, ...activity] };
}

/** Drawings of the same hung agent. */
const EQUAL: Record<string, readonly Drawing[]> = {
  'glyphs, verbs and seconds': [
    working('✻ Pondering… (12s · ↓ 34 tokens)'),
    working('· Zigzagging… (13s · ↓ 34 tokens)'),
    working('* Writing the tests… (1m 12s · ↓ 34 tokens)'),
    working('✢ Pondering… (1h 2m 3s · ↓ 34 tokens)'),
    working('✶ Pondering… (↓ 34 tokens)'),
  ],
  'a time alone': [
    working('✽ Pondering…'),
    working('✽ Pondering… (40s)'),
    working('✽ Pondering… (2m 10s)'),
  ],
  'tokens before the time': [
    working('✽ Pondering… (↑ 1.2k tokens · 40s)'),
    working('✽ Pondering… (↑ 1.2k tokens · 41s)'),
  ],
  'a hint that comes and goes': [
    working('✽ Pondering… (4s · esc to interrupt)'),
    working('✽ Pondering… (5s)'),
    working('✽ Pondering… (6s · ctrl+t to show todos)'),
  ],
  'a countdown': [
    working('✻ 529 Overloaded · retrying in 12s · attempt 4/10'),
    working('✻ 529 Overloaded · retrying in 1m 2s · attempt 4/10'),
  ],
  'the countdown of a silent stream': [
    working('✻ Waiting for API response · will retry in 3m 1s · check your network'),
    working('✻ Waiting for API response · will retry in 45s · check your network'),
  ],
  tips: [
    working('✻ Pondering… (12s)'),
    working('✻ Pondering… (13s)', '  ⎿  Tip: Use /btw to ask a side question'),
    working(
      '✻ Pondering… (14s)',
      '  ⎿  Tip: Start small, ask for a plan, and check its edits, then go on with the next of',
      '     them in the same manner',
    ),
  ],
  'a tip beside tasks': [
    working('✻ Pondering… (12s)', '  ⎿  ☒ Read the code', '     ☐ Write tests'),
    working(
      '✽ Pondering… (13s)',
      '  ⎿  Tip: Use /btw',
      '  ⎿  ☒ Read the code',
      '     ☐ Write tests',
    ),
  ],
  'a running tool': [
    working('  Running a stub command · 2s', '  ⎿  $ sleep 9', '', '✻ Pondering… (2s)'),
    working('  Running a stub command · 1m 2s', '  ⎿  $ sleep 9', '', '✻ Pondering… (1m 2s)'),
  ],
  'a running tool of older clients': [
    working('● Bash(sleep 99)', '  ⎿  Running…', '', '✻ Pondering… (2s)'),
    working('  Bash(sleep 99)', '  ⎿  Running… (12s)', '', '✻ Pondering… (12s)'),
    working('● Bash(sleep 99)', '  ⎿  Running... (1m 2s)', '', '✻ Pondering… (1m 2s)'),
  ],
  'a subagent below the box': [
    {
      ...working('✻ Waiting for 1 background agent to finish'),
      footer: ['◯ Explore  Look    3s · ↑ 1.5k tokens'],
    },
    {
      ...working('✻ Waiting for 1 background agent to finish'),
      footer: ['◯ Explore  Look 1m 3s · ↑ 1.5k tokens'],
    },
  ],
  'a clock in the status line': [
    { above: SAID, footer: ['dev@box 12:31:05'] },
    { above: SAID, footer: ['dev@box 12:31:06'] },
  ],
  'a drawn cursor': [
    { above: SAID, draft: 'half a thought█' },
    { above: SAID, draft: 'half a thought' },
  ],
  'a suggestion in the box': [
    { above: SAID, draft: 'Try "edit a.ts"' },
    { above: SAID, draft: 'Try "fix lint"' },
  ],
};

/** Drawings between which the work continued. */
const DIFFERENT: Record<string, readonly [Drawing, Drawing]> = {
  tokens: [
    working('✻ Pondering… (12s · ↓ 34 tokens)'),
    working('✻ Pondering… (12s · ↓ 35 tokens)'),
  ],
  'many tokens': [
    working('✻ Pondering… (12s · ↓ 1.2k tokens)'),
    working('✻ Pondering… (13s · ↓ 1.3k tokens)'),
  ],
  percentages: [working('✻ Compacting… (12s) 34%'), working('✻ Compacting… (12s) 35%')],
  'a percentage in a command': [
    working('  Running a stub command · 2s', '  ⎿  34% done', '', '✻ Pondering… (2s)'),
    working('  Running a stub command · 2s', '  ⎿  35% done', '', '✻ Pondering… (2s)'),
  ],
  'test counts': [working('● 12 of 40 passed'), working('● 13 of 40 passed')],
  'a time in an answer': [working('● The build took 12s.'), working('● The build took 13s.')],
  'a time in a result': [
    working('● Bash(npm test)', '  ⎿  34 passed (12s)', '', '✻ Pondering… (2s)'),
    working('● Bash(npm test)', '  ⎿  34 passed (13s)', '', '✻ Pondering… (2s)'),
  ],
  'a clock in an answer': [working('● It is 12:31.'), working('● It is 12:32.')],
  'a new row': [working('✻ Pondering… (2s)'), working('● Done.', '', '✻ Pondering… (2s)')],
  'a task that is done': [
    working('✻ Pondering… (2s)', '  ⎿  ☐ Write tests'),
    working('✻ Pondering… (2s)', '  ⎿  ☒ Write tests'),
  ],
  'another attempt': [
    working('✻ 529 Overloaded · retrying in 2s · attempt 4/10'),
    working('✻ 529 Overloaded · retrying in 2s · attempt 5/10'),
  ],
  'uses of tools': [
    working(
      '● Running 1 agent…',
      '   └─ Look · 3 tool uses · 1.2k tokens',
      '',
      '✻ Pondering… (2s)',
    ),
    working(
      '● Running 1 agent…',
      '   └─ Look · 4 tool uses · 1.2k tokens',
      '',
      '✻ Pondering… (2s)',
    ),
  ],
  'tokens of a subagent': [
    { ...working('✻ Waiting…'), footer: ['◯ Explore  3s · ↑ 1.5k tokens'] },
    { ...working('✻ Waiting…'), footer: ['◯ Explore  3s · ↑ 1.6k tokens'] },
  ],
  'the end of a turn': [
    working('✻ Baked for 3s · done 12:24 PM'),
    working('✻ Baked for 4s · done 12:25 PM'),
  ],
  'a draft': [{ above: SAID }, { above: SAID, draft: 'wait' }],
  'a quoted spinner': [
    working('● It draws', '', '  ✻ Pondering… (2s)'),
    working('● It draws', '', '  ✻ Pondering… (3s)'),
  ],
};

const WIDTHS = [40, 80, 120, 200];

describe('a client with its box', () => {
  it.each(Object.entries(EQUAL))(
    'PO5 stays equal when only this changes: %s',
    (_name, drawings) => {
      for (const columns of WIDTHS) {
        const snapshots = drawings.map((drawing) =>
          normalizedScreen(drawScreen({ ...drawing, columns }).rows),
        );
        expect(
          new Set(snapshots).size,
          `at ${columns} columns: ${snapshots.join('\n=====\n')}`,
        ).toBe(1);
      }
    },
  );

  it.each(Object.entries(DIFFERENT))('PO5 differs by %s', (_name, drawings) => {
    for (const columns of WIDTHS) {
      const [one, other] = drawings.map((drawing) =>
        normalizedScreen(drawScreen({ ...drawing, columns }).rows),
      );
      expect(one).not.toBe(other);
    }
  });

  it('PO5 distinguishes the hung stream from the working one in the recordings', () => {
    const snapshot = (name: string) => normalizedScreen(recordedScreen(name).rows);
    expect(snapshot('working-05-no-response-8s')).toBe(snapshot('working-08-no-response-40s'));
    expect(snapshot('working-01-streaming-27.1')).not.toBe(snapshot('working-01-streaming-35.1'));
    expect(snapshot('working-04-hung-stream-8s')).not.toBe(snapshot('working-17-hung-stream-5min'));
  });
});

describe('an unknown client', () => {
  it('PO12 stays equal when a glyph and the seconds next to it change', () => {
    const codex = (glyph: string, time: string) =>
      normalizedScreen(['› go', '', `${glyph} Working (${time} • esc to interrupt)`]);
    expect(codex('•', '3s')).toBe(codex('◦', '1m 02s'));
    const gemini = (glyph: string, time: string) =>
      normalizedScreen([` > go`, ` ${glyph} Thinking... (esc to cancel, ${time})`]);
    expect(gemini('⠧', '2s')).toBe(gemini('⠏', '1m 2s'));
    expect(normalizedScreen(['name? █'])).toBe(normalizedScreen(['name?']));
  });

  it('PO12 differs by everything else', () => {
    const rows = [
      ['12 of 40 passed', '13 of 40 passed'],
      ['built in 3s', 'built in 4s'],
      ['⠧ installing', '⠏ installing'],
      ['• 34 tests (3s)', '• 35 tests (3s)'],
      ['12:31:05', '12:31:06'],
      ['[███ ]', '[████]'],
      ['████', '█████'],
      ['- a list (12)', '- a list (13)'],
    ];
    for (const [one = '', other = ''] of rows)
      expect(normalizedScreen([one])).not.toBe(normalizedScreen([other]));
  });
});
