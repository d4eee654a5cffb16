/** Text disguised so that a reader sees the same words and a machine other characters. */
import fc from 'fast-check';

export type Dress = (text: string) => string[];

const UNSEEN = '\u200b \u200d \u2060 \u00ad \ufeff \u0301 \u0336 \u034f \ufe0f'.split(' ');
const BLANKS = [' ', '  ', '\t', '\u00a0', '\u2003', '\u3000', ' \u200b '];
const CHANGES = ['case', 'wide', 'unseen', 'blanks', 'spread', 'all'] as const;

/**
 * Each letter in any case and form, invisible characters between them, other blanks, lines of any
 * width.
 */
export const dressing: fc.Arbitrary<Dress> = fc
  .record({
    chance: fc.infiniteStream(fc.nat(1_000)),
    change: fc.constantFrom(...CHANGES),
    wrap: fc.constantFrom('no', 'words', 'anywhere'),
  })
  .map(({ chance, change, wrap }) => {
    const pick = (count: number): number => (chance.next().value as number) % count;
    const has = (kind: string) => change === kind || (change === 'all' && kind !== 'spread');
    const dressed = (letter: string): string => {
      let form = has('case') && pick(2) === 0 ? letter.toUpperCase() : letter;
      if (has('wide') && pick(3) === 0) form = wide(form);
      return has('unseen') && pick(3) === 0 ? form + (UNSEEN[pick(UNSEEN.length)] ?? '') : form;
    };
    const blank = () => (has('blanks') ? (BLANKS[pick(BLANKS.length)] ?? ' ') : ' ');
    return (text: string) => {
      const words = text.split(' ').map((word) => Array.from(word, dressed));
      if (change === 'spread') return [words.map((word) => word.join(' ')).join('   ')];
      const plain = words.map((word) => word.join(''));
      const line = plain.reduce((joined, word) => joined + blank() + word);
      if (wrap === 'no') return [line];
      if (wrap === 'words') return breakUp(plain, pick(4)).map((part) => part.join(' '));
      return breakUp(Array.from(line), pick(4)).map((part) => part.join(''));
    };
  });

function wide(letter: string): string {
  return /^[!-~]$/.test(letter)
    ? String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)
    : letter;
}

/** Into at most five parts of the same length. */
function breakUp<Item>(items: readonly Item[], cuts: number): Item[][] {
  const size = Math.ceil(items.length / (cuts + 1));
  return Array.from({ length: cuts + 1 }, (_, part) => items.slice(part * size, (part + 1) * size));
}
