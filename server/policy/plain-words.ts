/** Text as the words a reader sees in it, whatever it is dressed in. */

/** In characters: five rows of the widest terminal, and more. What is longer is not read. */
export const MAX_LENGTH = 8_000;

/** Marks above letters, characters without a width, and the fillers that are drawn as nothing. */
const UNSEEN = /[\p{M}\p{Cf}\p{Cc}\u115f\u1160\u3164\uffa0]/gu;

/**
 * Takes text; gives its words in lower case: compatible forms and accents resolved, unseen
 * characters left out, parted where letters and digits end.
 */
export function plainWords(text: string): string[] {
  const plain = text
    .slice(0, MAX_LENGTH)
    .replaceAll(/\s/g, ' ')
    .normalize('NFKC')
    .normalize('NFKD')
    .replaceAll(UNSEEN, '')
    .toLowerCase();
  return plain.split(/ {2,}/).flatMap((part) => spelledOut(part.match(/[\p{L}\p{N}]+/gu) ?? []));
}

/** Takes text; gives it with words written together parted: `deleteAll` becomes `delete All`. */
export function partedWords(text: string): string {
  return text.slice(0, MAX_LENGTH).replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
}

/** Single letters in a row are also the word that somebody spread: `r m` and `d e l e t e`. */
function spelledOut(words: readonly string[]): string[] {
  const result = [...words];
  let spread = '';
  for (const word of [...words, '']) {
    if (/^\p{L}$/u.test(word)) spread += word;
    else {
      if (spread.length > 1) result.push(spread);
      spread = '';
    }
  }
  return result;
}
