/** Foreign text in Markdown that always stays text. Pure. */
import { oneLine, plainText } from '../../shared/rules/text/plain-text.ts';

/** In characters. */
const LENGTH = 300;

const SIGNS = /[\\`*_[\]<>&~|$#]/g;
/** Where a line begins, these would make a list, a heading or a rule of it. */
const START = /^(?:[-+=]|\d{1,9}(?=[.)]))/;
/** Readers turn these into links and mentions without any markup; in code they do not. */
const LINKED = /:\/\/|www\.|@/i;

/** One line of prose. */
export function inlineText(text: string, maxLength = LENGTH): string {
  if (LINKED.test(text)) return codeSpan(text, maxLength);
  return oneLine(text, maxLength)
    .replaceAll(SIGNS, String.raw`\$&`)
    .replace(START, (found) => (/\d/.test(found) ? `${found}\\` : `\\${found}`));
}

/** One line of code, for lists and prose; a table would read its `|` as the end of a cell. */
export function codeSpan(text: string, maxLength = LENGTH): string {
  const line = oneLine(text, maxLength);
  if (line === '') return '(empty)';
  const mark = '`'.repeat(longestTicks(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${mark}${pad}${line}${pad}${mark}`;
}

/** Lines of code between fences that none of them closes. */
export function codeBlock(text: string, language = 'text'): string {
  const lines = plainText(text.replaceAll('\r\n', '\n')).replace(/^\n+/, '').trimEnd();
  const fence = '`'.repeat(Math.max(3, longestTicks(lines) + 1));
  return `${fence}${language}\n${lines}\n${fence}`;
}

function longestTicks(text: string): number {
  let longest = 0;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  return longest;
}
