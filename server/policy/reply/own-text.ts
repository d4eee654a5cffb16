/**
 * A text with everything that is not its author's own words hidden: code, addresses, quotations.
 */

export interface MaskedText {
  /** As written. */
  text: string;
  /** Of the same length: hidden parts are underscores, and bold marks blanks. */
  own: string;
}

const FOREIGN =
  /`[^`\n]{1,400}`|\bhttps?:\/\/[^\s)>\]]{1,2000}|"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|(?<=^|[\s(])['‘][^'’\n]{1,200}['’](?=[\s).,;:?!]|$)/g;

/** For one line or paragraph. Linear. */
export function ownText(text: string): MaskedText {
  const hidden = text.replaceAll(FOREIGN, (found) => '_'.repeat(found.length));
  return { text, own: hidden.replaceAll('*', ' ') };
}

/** A dot that ends no sentence. */
const SHORT = /\b(?:e\.g|i\.e|etc|vs|cf|approx|no)\.$/i;

/** Each trimmed, in order. */
export function sentencesOf({ text, own }: MaskedText): MaskedText[] {
  const sentences: MaskedText[] = [];
  let start = 0;
  const cutAt = (end: number) => {
    const sentence = trimmed({ text: text.slice(start, end), own: own.slice(start, end) });
    if (sentence.text !== '') sentences.push(sentence);
    start = end;
  };
  for (const { 0: mark, index } of own.matchAll(/[.!?…]+["”')\]]* +(?=[\p{Lu}\p{N}\p{So}_])/gu)) {
    if (!SHORT.test(own.slice(Math.max(start, index - 8), index + 1))) cutAt(index + mark.length);
  }
  cutAt(text.length);
  return sentences;
}

function trimmed({ text, own }: MaskedText): MaskedText {
  const lead = text.length - text.trimStart().length;
  const kept = text.trim();
  return { text: kept, own: own.slice(lead, lead + kept.length) };
}

/** The author's own words in one line with single blanks, for pattern matching. */
export function plainOf({ own }: MaskedText): string {
  return own.replaceAll('’', "'").replaceAll(/\s+/g, ' ').trim();
}
