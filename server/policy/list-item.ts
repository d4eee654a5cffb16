/** One line of Markdown as the items of a list that it holds. */
import { ownWords, type Words } from './own-words.ts';

export interface ListItem {
  /** `2` or `B`; '' for a bullet. */
  key: string;
  words: Words;
  /** What is indented below it: lists, text, code. */
  details: string[];
}

const NUMBERED =
  /^(\s*)(?:\*\*)?(?:(?:option|approach|alternative|choice) (\d{1,2}|[A-Z])\b(?:\*\*)?\s*[.):–—-]|[([]?(\d{1,2}|[A-Za-z])[.)\]:])(?:\*\*)?\s+(\S.*)$/i;
const BULLET = /^(\s*)[-*•+]\s+(\S.*)$/;

/** Takes a line; gives its items and how far it is indented, or null when it is none of a list. */
export function listItems(line: string): { items: ListItem[]; indent: number } | null {
  const numbered = NUMBERED.exec(line);
  if (numbered !== null) {
    const [, space = '', option, key = '', text = ''] = numbered;
    const items = option === undefined ? parted(key, text.trim()) : [itemOf(option, text.trim())];
    return { items, indent: space.length };
  }
  const [, space = '', text] = BULLET.exec(line) ?? [];
  return text === undefined ? null : { items: [itemOf('', text.trim())], indent: space.length };
}

/** Nobody writes more of them in one line. */
const MOST = 12;

/** `1) REST 2) GraphQL` in one line. */
function parted(key: string, text: string): ListItem[] {
  const next = /\d/.test(key)
    ? String(Number(key) + 1)
    : String.fromCharCode(key.charCodeAt(0) + 1);
  const mark = new RegExp(String.raw`[,;]?\s+[([]?${next}[)\]]\s+(?=\S)`);
  const mayBe = /^(?:\d+|[A-Za-z])$/.test(next) && !(Number(next) > MOST);
  const found = mayBe ? mark.exec(ownWords(text).own) : null;
  if (found === null) return [itemOf(key, text)];
  const rest = parted(next, text.slice(found.index + found[0].length));
  return [itemOf(key, text.slice(0, found.index)), ...rest];
}

function itemOf(key: string, text: string): ListItem {
  return { key, words: ownWords(text), details: [] };
}
