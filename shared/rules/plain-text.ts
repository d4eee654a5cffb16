/**
 * Foreign text made safe to show: what a terminal would act on, or an eye would not see, is written
 * out. Agents choose these words, and a person decides by them.
 */

/** Control characters but tab and newline, and everything that hides or reorders what is read. */
const UNSEEN = /[^\P{C}\n\t]|[\u2028\u2029]/gu;

/** Takes text; gives it with every unseen character as `\u{…}`, tabs and newlines kept. */
export function plainText(text: string): string {
  return text.replaceAll(UNSEEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Takes text and a length in characters; gives one line of it, cut with an ellipsis. */
export function oneLine(text: string, maxLength: number): string {
  // Cut before the work: the text may be long, and a character grows to at most ten.
  const enough = text.trimStart().slice(0, 2 * maxLength);
  return cut(plainText(enough.replaceAll(/\s+/g, ' ').trimEnd()), maxLength);
}

/** Takes text and a length in characters; gives at most that much of it, with an ellipsis. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
