/**
 * Makes untrusted text safe to show: characters a terminal would act on, or a reader would not see,
 * are written out. Agents choose this text, and a person decides by it.
 */

/** Control characters except tab and newline, and everything that hides or reorders text. */
const UNSEEN = /[^\P{C}\n\t]|[\u2028\u2029]/gu;

/** Writes unseen characters as `\u{…}`; keeps tabs and newlines. */
export function plainText(text: string): string {
  return text.replaceAll(UNSEEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/** `maxLength` in characters, including the ellipsis. */
export function oneLine(text: string, maxLength: number): string {
  // Cut first: the text may be long, and one character grows to at most ten.
  const enough = text.trimStart().slice(0, 2 * maxLength);
  return cut(plainText(enough.replaceAll(/\s+/g, ' ').trimEnd()), maxLength);
}

/** `maxLength` in characters, including the ellipsis. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The last `maxLength` characters at most, never beginning with half of one. */
export function tail(text: string, maxLength: number): string {
  return text.slice(Math.max(0, text.length - maxLength)).replace(/^[\uDC00-\uDFFF]/, '');
}
