/** What the bytes of a terminal show of its agent, however they are cut and coloured. */
import { describe, expect, it } from 'vitest';
import { OutputReader } from '../../../server/respawn/detection/output-reader.ts';
import { TerminalText, WINDOW_BYTES } from '../../../server/respawn/detection/terminal-text.ts';
import { encode, everyByte, read, readIn } from '../../support/daemon/read-output.ts';

describe('the line that ends a turn', () => {
  it.each([
    ['Worked for 2m 46s', 'Worked for 2m 46s'],
    ['Worked for 46s', 'Worked for 46s'],
    ['Worked for 1h 2m 3s', 'Worked for 1h 2m 3s'],
    ['Worked for 5m', 'Worked for 5m'],
    ['Worked for 2h', 'Worked for 2h'],
    ['text\r\nWorked for 5m\r\nmore', 'Worked for 5m'],
    ['✻ Worked for 4s · done 4:52 AM', '✻ Worked for 4s'],
    ['✻ Sautéed for 1m 7s', '✻ Sautéed for 1m 7s'],
    ['  Worked for 6s • 12:17', 'Worked for 6s'],
    ['PD-007 two\r\nWorked for 1s\r\nWorked for 2s', 'Worked for 2s'],
  ])('RS37 %j has one', (text, line) => {
    expect(read(text).completion).toBe(line);
  });

  it.each([
    ['PD-001 without the word', '2m 46s'],
    ['wait for', 'wait for 5s'],
    ['run for', 'run for 2m'],
    ['no number', 'Worked for a long time'],
    ['another word', 'Worked on the parser'],
    ['prose in lower case', 'he worked for 3s on it'],
    ['prose', 'Then he Worked for 3s on it.'],
    ['PD-002 in quotes', '● It prints "Worked for 3s" at the end.'],
    ['an answer', '● Worked for 3s on it'],
    ['a quoted end of a turn', '   ✻ Cooked for 3s'],
    ['a longer word for a unit', 'Worked for 3seconds'],
    ['a background agent', '✻ Waiting for 1 background agent to finish'],
  ])('RS37 there is none in %s', (_, text) => {
    expect(read(text).completion).toBeNull();
  });

  it('RS36 B3-1 PD-004 colours and cuts anywhere in it change nothing', () => {
    const coloured =
      '\x1b[2m✻ \x1b[38;5;174mWor\x1b[0mked\x1b[1m for \x1b[0m2\x1b[1mm\x1b[0m 46s\r\n';
    expect(read(coloured).completion).toBe('✻ Worked for 2m 46s');
    expect(readIn(everyByte(coloured)).completion).toBe('✻ Worked for 2m 46s');
  });
});

describe('work', () => {
  it.each([
    'Thinking...',
    '⠋ Reading files',
    '◐ Starting up',
    '⣾ Installing',
    '✽ Flibbertigibbeting… (12s · ↓ 34 tokens)',
    '· Warping… (running Stop hook · 7s)',
    '✻ API error · retrying in 6s · attempt 2/10',
    '✻ Waiting for 1 background agent to finish',
    '• Working (3s • esc to interrupt)',
    'text\r\n✶ Doing… (2s)\r\n\r\n────\r\n❯ ',
  ])('RS37 %j shows it', (text) => {
    expect(read(text).work).not.toBeNull();
  });

  it.each([
    ['the end of a turn', '✻ Worked for 2m 46s'],
    ['a star alone', '✻ '],
    ['PD-008 a spinner in a text', 'the glyph ⠋ means work'],
    ['a quoted spinner', '  ✻ Flibbertigibbeting… (12s · esc to interrupt)'],
    ['a word in a text', 'I was Thinking about it'],
    ['a longer word', 'Readings of the meter'],
  ])('RS37 there is none in %s', (_, text) => {
    expect(read(text).work).toBeNull();
  });

  it('RS38 B3-4 a sign of work is read once, and the text after it is not work', () => {
    const reader = new OutputReader();
    reader.push(encode('Thinking…\r\n'));
    expect(reader.read().work).not.toBeNull();
    reader.push(encode('Which database do you want?\r\n❯ 1. SQLite\r\n  2. Postgres\r\n'));
    expect(reader.read()).toMatchObject({ work: null, isSubstantial: true });
  });

  it('RS38 of work and the end of a turn only the last counts', () => {
    const over = read('✻ Cooking… (3s)\r\n✻ Cooked for 3s\r\n');
    expect([over.work, over.completion]).toEqual([null, '✻ Cooked for 3s']);
    const again = read('✻ Cooked for 3s\r\n❯ go on\r\n✻ Cooking… (1s)\r\n');
    expect([again.work, again.completion]).toEqual(['✻ Cooking… (1s)', null]);
  });
});

describe('tokens', () => {
  it.each([
    ['↓ 34 tokens', 34],
    ['PD-005 999 tokens', 999],
    ['12.5k tokens', 12_500],
    ['1K tokens', 1_000],
    ['1.2M tokens', 1_200_000],
    ['1,234 tokens', 1_234],
    ['1 token', 1],
    ['5 tokens then 7 tokens', 7],
  ])('RS37 %s', (text, count) => {
    expect(read(text).tokens).toBe(count);
  });

  it.each(['tokens', 'k tokens', '1.2.3 tokens', 'v2k tokens', '12x tokens', '9'.repeat(40)])(
    'RS37 PD-006 %s is no count',
    (text) => {
      expect(read(text).tokens).toBeNull();
    },
  );
});

describe('the prompt and the menu', () => {
  it.each(['❯ ', 'text\r\n❯ draft', '⏵ '])('RS37 PD-003 %j is a prompt', (text) => {
    expect(read(text).isPrompt).toBe(true);
  });

  const MENU =
    ' Would you like to proceed?\r\n ❯ 1. Yes, and auto-accept edits\r\n   2. No, keep planning\r\n';

  it('RS37 APC-007 APC-008 a menu has options, and one of them is selected', () => {
    expect(read(MENU).menu).toEqual(['❯ 1. Yes, and auto-accept edits', '2. No, keep planning']);
    expect(read(MENU).isPrompt).toBe(false);
    expect(read(' 1. Yes\r\n 2. No\r\n').menu).toBeNull();
    expect(read('❯ 1. SQLite\r\n  2. Postgres\r\n').menu).toBeNull();
    expect(read('❯ Yes\r\n').menu).toBeNull();
  });

  it('RS37 APC-009 APC-010 work below the selector closes it, work above does not', () => {
    expect(read(`✻ Cooking… (1s)\r\n${MENU}`).menu).not.toBeNull();
    expect(read(`${MENU}✻ Cooking… (1s)\r\n`).menu).toBeNull();
  });

  it('RS37 a menu that is answered, left or quoted is none', () => {
    expect(read(`${MENU}● I begin.\r\n`).menu).toBeNull();
    expect(read(`${MENU}❯ \r\n`).menu).toBeNull();
    expect(read('● It shows:\r\n   ❯ 1. Yes\r\n     2. No\r\n').menu).toBeNull();
    expect(read(`${MENU}${'x\r\n'.repeat(1_000)}`).menu).toBeNull();
  });
});

describe('text and redraws', () => {
  const reader = (first: string) => {
    const made = new OutputReader();
    made.push(encode(first));
    made.read();
    return (text: string) => {
      made.push(encode(text));
      return made.read().isSubstantial;
    };
  };

  it('RS39 B3-11 text redrawn at its place is not new', () => {
    const next = reader('● Done.\r\n────\r\n❯ \r\n────\r\n  manual mode on');
    expect(next('\x1b[?25l\x1b[2K\x1b[1A\x1b[2K\x1b[G\x1b[?25h')).toBe(false);
    expect(next('\r\x1b[3A────\r\n❯ \r\n────\r\n  manual mode on')).toBe(false);
    expect(next('\x1b[2;1H────\x1b[5;1H  manual mode on\x1b[3;3H')).toBe(false);
    expect(next('\x1b[5;40H◐ 7')).toBe(false);
    expect(next('\x1b]0;a title that says much\x07')).toBe(false);
  });

  it('RS39 other text at its place is new, and so is the same text further down', () => {
    const next = reader('● Done.\r\n────\r\n❯ \r\n');
    expect(next('\x1b[3A● Done, and more.\r\n────\r\n❯ \r\n')).toBe(true);
    expect(next('● Done.\r\n')).toBe(true);
    expect(next('ok\r\n')).toBe(false);
    expect(next('fine')).toBe(true);
  });

  it('RS39 text that arrives letter by letter adds up', () => {
    const made = new OutputReader();
    const seen = Array.from('a word', (letter) => {
      made.push(encode(letter));
      return made.read().isSubstantial;
    });
    expect(seen.every((each) => !each)).toBe(true);
    for (const letter of 'many') made.push(encode(letter));
    expect(made.read().isSubstantial).toBe(true);
  });
});

describe('windows', () => {
  it('RS36 BM-001 CO-005 keeps the newest output, for any cut', () => {
    for (const length of [WINDOW_BYTES - 30, WINDOW_BYTES, 2 * WINDOW_BYTES, 1_048_576]) {
      const text = new TerminalText();
      text.push(encode('x'.repeat(length)));
      text.push(encode('\r\n✻ Cooked for 1m 7s\r\n'));
      const drawn = text.read();
      expect(drawn.text.endsWith('\n✻ Cooked for 1m 7s\n')).toBe(true);
      expect(drawn.text.length).toBeLessThanOrEqual(2 * WINDOW_BYTES);
    }
  });

  it('RS36 BM-002 a megabyte in chunks leaves a window, and its end is read', () => {
    const made = new OutputReader();
    const row = encode('\x1b[32mthe quick brown fox jumps over the lazy dog\x1b[0m\r\n');
    for (let size = 0; size < 1_048_576; size += row.length) made.push(row);
    made.push(encode('✻ Cooked for 9s\r\n'));
    expect(made.read()).toMatchObject({ completion: '✻ Cooked for 9s', isSubstantial: true });
    expect(made.read()).toMatchObject({ completion: null, isSubstantial: false });
  });

  it('RS36 BM-003 a screen that is cleared in the middle of a line starts over', () => {
    const signs = read('✻ Cooked for\x1b[2J\x1b[H 9s\r\n');
    expect(signs.completion).toBeNull();
  });

  it('RS36 hostile sequences draw nothing and end', () => {
    const nasty =
      '\x1b[99999999999999;9999999C\x1b[9999A\x1bP1;2;3\x1b\\\x1b]52;c;AAAA\x07\x18\x9b\xff';
    const made = new OutputReader();
    made.push(Uint8Array.from(nasty, (letter) => letter.charCodeAt(0)));
    made.push(encode('\r\nWorked for 5m\r\n'));
    expect(made.read().completion).toBe('Worked for 5m');
  });
});
