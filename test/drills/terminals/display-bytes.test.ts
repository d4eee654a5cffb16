import { describe, expect, it } from 'vitest';
import { DisplayBytes } from '../../../server/terminals/display-bytes.ts';
import { type Random, seeded, sized } from '../../support/house/random.ts';

const ROUNDS = sized({ short: 1_000, middle: 10_000, long: 100_000 });
const PIECES = [
  '\x1b',
  '[',
  '\x1b[',
  '?',
  '>',
  '=',
  '<',
  ';',
  ':',
  '1',
  '6',
  '25',
  '999999999',
  '1004',
  'm',
  'n',
  'c',
  'h',
  'l',
  'q',
  ' q',
  '$p',
  't',
  'u',
  'S',
  'b',
  'K',
  '\x1b]',
  '\x1bP',
  '\x1b_',
  '\x1b^',
  '\x1bX',
  '\x1bk',
  '\x1b\\',
  '\x07',
  '\x18',
  '\x1a',
  '\r\n',
  '\t',
  '\b',
  'text',
  'h\u00e9',
  '\u4e16',
  '\u{1f680}',
  '\x9b6n',
  '\u009d0;x\u009c',
  '\x1b(0',
  '\x1b#8',
  '\x0e',
  '11;?',
  '\x1b[6n',
  '\x1b[c',
  '\x1b[>0q',
  '\x1b[?u',
  '\x1b[?2026$p',
  '\x1b[18t',
  '\x7f',
];
/** Anything an emulator would answer or keep: every sequence that is not on the list. */
const ALLOWED =
  // eslint-disable-next-line no-control-regex -- the subject of this test is control bytes
  /\x1b\[(?:[0-9;]*[@A-HIJKLMPSTXZ`abdefgrsu]|[0-9:;]*m|[0-6]? q|!p|[0-9;]*[hl]|\?[0-9;]*[hlJK])|\x1b(?:[78DEHMc=>]|[()*+][0AB]|#8)/g;

function randomBytes(random: Random): Buffer {
  const count = random.int(0, 60);
  return Buffer.concat(
    Array.from({ length: count }, () =>
      random.chance(0.15)
        ? Buffer.from([random.int(0, 255)])
        : Buffer.from(random.pick(PIECES), random.chance(0.1) ? 'latin1' : 'utf8'),
    ),
  );
}

function split(random: Random, bytes: Buffer): Buffer {
  const filter = new DisplayBytes();
  const out: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = from + random.int(1, 8);
    out.push(filter.push(bytes.subarray(from, to)));
    from = to;
  }
  return Buffer.concat(out);
}

function shown(text: string | Buffer): string {
  return Buffer.from(new DisplayBytes().push(Buffer.from(text))).toString('latin1');
}

describe('display bytes', () => {
  it('SE12 keeps sequences that draw', () => {
    const kept =
      'a\x1b[1;31mred\x1b[0m\x1b[2;3H\x1b[K\x1b[?25l\x1b[?1049h\x1b[?2004h\x1b[4 q\x1b7\x1b8\r\n';
    expect(shown(kept)).toBe(kept);
    expect(shown('\x1b[38:2::1:2:3m')).toBe('\x1b[38:2::1:2:3m');
    const wide = Buffer.from('h\u00e9 \u4e16 \u{1f680}');
    expect(shown(wide)).toBe(wide.toString('latin1'));
  });

  it.each([
    '\x1b[c',
    '\x1b[>c',
    '\x1b[=c',
    '\x1b[0c',
    '\x1b[5n',
    '\x1b[6n',
    '\x1b[?6n',
    '\x1b[?1$p',
    '\x1b[>q',
    '\x1b[>0q',
    '\x1b[?u',
    '\x1b[>1u',
    '\x1b[=1u',
    '\x1b[<u',
    '\x1b[18t',
    '\x1b[t',
    '\x1b[x',
    '\x1b[>4;1m',
    '\x1b[?1004h',
    '\x1b[4$p',
    '\x1b[1;2;3;4;5T',
    '\x1bZ',
    '\x05',
    '\x1b]11;?\x07',
    '\x1b]11;?\x1b\\',
    '\x1b]52;c;eA==\x07',
    '\x1bP$qm\x1b\\',
    '\x1bP+q\x1b\\',
    '\x1b_Gi=1\x1b\\',
    '\x1b^pm\x1b\\',
    '\x1bXsos\x1b\\',
    '\x1bktitle\x1b\\',
    '\u009b6n',
  ])('SE12 drops %j', (sequence) => {
    const left = shown(`a${sequence}b`);
    // C1 as UTF-8 is dropped alone: the rest of it is text, not a sequence.
    expect(left.replace('6n', '')).toBe('ab');
  });

  it('SE12 bounds counts, and keeps the known ones of several modes', () => {
    expect(shown('\x1b[999999999S')).toBe('\x1b[500S');
    expect(shown('\x1b[?25;1004;7h')).toBe('\x1b[?25;7h');
  });

  it('SE12 acts on a control byte inside a sequence, and lets the sequence start again', () => {
    expect(shown('\x1b[3\n1m')).toBe('\n\x1b[31m');
    expect(shown('\x1b[3\x1b[1mx')).toBe('\x1b[1mx');
    expect(shown('\x1b]0;title\x18x')).toBe('x');
    expect(shown(`\x1b[${'1;'.repeat(500)}mx`)).toBe('x');
  });

  it('SE12 gives the same for any split, and nothing that is not on the list', async () => {
    await seeded((random) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const bytes = randomBytes(random);
        const whole = Buffer.from(new DisplayBytes().push(bytes));
        expect(split(random, bytes).equals(whole), JSON.stringify(bytes.toString('latin1'))).toBe(
          true,
        );
        const text = whole.toString('utf8');
        expect(Buffer.from(text).equals(whole)).toBe(true);
        // eslint-disable-next-line no-control-regex -- no control byte may be left
        expect(text.replaceAll(ALLOWED, '')).not.toMatch(/[\x00-\x06\x10-\x1f\x7f-\x9f]/);
        expect(Buffer.from(new DisplayBytes().push(whole)).equals(whole)).toBe(true);
      }
    });
  });

  it('SE12 keeps nothing of a string, however long it is', () => {
    const filter = new DisplayBytes();
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    filter.push(Buffer.from('\x1b]52;c;'));
    for (let count = 0; count < 16; count += 1) expect(filter.push(megabyte)).toHaveLength(0);
    expect(Buffer.from(filter.push(Buffer.from('\x07after'))).toString()).toBe('after');
  });
});
