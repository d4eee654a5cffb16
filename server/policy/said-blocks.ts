/** What an agent said at the end of its turn, as the paragraphs and lists that a reader sees. */
import { ownWords, type Words } from './own-words.ts';

export interface ListItem {
  /** `2` or `B`; '' for a bullet. */
  key: string;
  words: Words;
}

export type SaidBlock =
  { kind: 'prose'; words: Words } | { kind: 'list'; items: [ListItem, ...ListItem[]] };

const FENCE = /^\s*(```|~~~)/;
/** Somebody else's words, a table, a rule. */
const LEFT_OUT = /^\s*(?:>|\||(?:[-*_] ?){3,}$)/;
const HEADING = /^\s{0,3}#{1,6}\s+/;
const NUMBERED =
  /^(\s*)(?:\*\*)?(?:(?:option|approach|alternative|choice) (\d{1,2}|[A-Z])\b(?:\*\*)?\s*[.):–—-]|[([]?(\d{1,2}|[A-Za-z])[.)\]:])(?:\*\*)?\s+(\S.*)$/i;
const BULLET = /^(\s*)[-*•+]\s+(\S.*)$/;

/**
 * Takes Markdown; gives its blocks in order, without code blocks, quotations, tables and headings
 * that ask nothing. What is indented below an item belongs to it and is not read. Linear.
 */
export function saidBlocks(text: string): SaidBlock[] {
  const blocks: SaidBlock[] = [];
  let paragraph: string[] = [];
  let fence: string | null = null;
  let items: ListItem[] | null = null;
  let indent = 0;
  const endParagraph = () => {
    if (paragraph.length > 0) {
      blocks.push({ kind: 'prose', words: ownWords(paragraph.join(' ')) });
      // A list goes on over blank lines, but not over words.
      items = null;
    }
    paragraph = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null || mark !== null) {
      endParagraph();
      fence = fence === null ? mark : mark === fence ? null : fence;
      continue;
    }
    const item = itemOf(line);
    if (item !== null && items !== null && item.indent > indent + 1) continue;
    if (item !== null) {
      endParagraph();
      if (items === null) {
        const list: [ListItem] = [item];
        items = list;
        indent = item.indent;
        blocks.push({ kind: 'list', items: list });
      } else items.push(item);
    } else if (line.trim() === '' || LEFT_OUT.test(line)) endParagraph();
    else if (HEADING.test(line)) {
      endParagraph();
      items = null;
      if (line.includes('?')) paragraph.push(line.replace(HEADING, '').trim());
      endParagraph();
    } else if (items === null || !/^\s{2}/.test(line)) paragraph.push(line.trim());
  }
  endParagraph();
  return blocks;
}

function itemOf(line: string): (ListItem & { indent: number }) | null {
  const numbered = NUMBERED.exec(line);
  if (numbered !== null) {
    const [, space = '', option, key, text = ''] = numbered;
    return { indent: space.length, key: option ?? key ?? '', words: ownWords(text.trim()) };
  }
  const [, space = '', text] = BULLET.exec(line) ?? [];
  return text === undefined
    ? null
    : { indent: space.length, key: '', words: ownWords(text.trim()) };
}
