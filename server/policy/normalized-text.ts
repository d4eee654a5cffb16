/** Text as the words a reader sees in it, however it is disguised. */

/** In characters: five rows of the widest terminal, and more. Longer text is not read. */
export const MAX_LENGTH = 8_000;

/** Marks above letters, zero-width characters, and fillers that are drawn as nothing. */
const UNSEEN = /[\p{M}\p{Cf}\p{Cc}\u115f\u1160\u3164\uffa0]/gu;

/**
 * Lower-case words, read in three ways: as written, with joined words split (`deleteAll`), and with
 * spread letters joined (`d e l e t e`). Compatible forms and accents are resolved, invisible
 * characters removed.
 */
export function normalizedText(
  text: string,
): [plain: string[], parted: string[], spread: string[]] {
  const seen = text
    .slice(0, MAX_LENGTH)
    // One of the zero-width characters counts as a blank to regular expressions.
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s/g, ' ')
    .normalize('NFKC')
    .normalize('NFKD')
    .replaceAll(UNSEEN, '');
  const lower = seen.toLowerCase();
  return [
    wordsOf(lower),
    wordsOf(seen.replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').toLowerCase()),
    lower.split(/ {2,}/).flatMap((part) => unspread(wordsOf(part))),
  ];
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Single letters in a row are one word. */
function unspread(words: readonly string[]): string[] {
  const result: string[] = [];
  let run = false;
  for (const word of words) {
    const single = /^\p{L}$/u.test(word);
    if (single && run) result.push((result.pop() ?? '') + word);
    else result.push(word);
    run = single;
  }
  return result;
}
