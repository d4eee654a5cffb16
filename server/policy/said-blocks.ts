/** What an agent said at the end of its turn, as the paragraphs and lists that a reader sees. */
import { type ListItem, listItems } from './list-item.ts';
import { ownWords, type Words } from './own-words.ts';

export type SaidBlock = { kind: 'prose'; words: Words } | { kind: 'list'; items: ListItem[] };

const FENCE = /^\s*(```|~~~)/;
/** Somebody else's words, a table, a rule. */
const LEFT_OUT = /^\s*(?:>|\||(?:[-*_] ?){3,}$)/;
const HEADING = /^\s{0,3}#{1,6}\s+/;

/**
 * Takes Markdown; gives its blocks in order, without code blocks, quotations, tables and headings
 * that ask nothing. What is indented below an item, and code there, is a detail of it. Linear.
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
      items?.at(-1)?.details.push(line);
      fence = fence === null ? mark : mark === fence ? null : fence;
      continue;
    }
    const found = listItems(line);
    if (items !== null && paragraph.length === 0 && isBelow(line, indent)) {
      items.at(-1)?.details.push(line.trim());
    } else if (found !== null) {
      endParagraph();
      if (items === null) {
        items = [];
        indent = found.indent;
        blocks.push({ kind: 'list', items });
      }
      items.push(...found.items);
    } else if (line.trim() === '' || LEFT_OUT.test(line)) endParagraph();
    else if (HEADING.test(line)) {
      endParagraph();
      items = null;
      if (line.includes('?')) paragraph.push(line.replace(HEADING, '').trim());
      endParagraph();
    } else paragraph.push(line.trim());
  }
  endParagraph();
  return blocks;
}

function isBelow(line: string, indent: number): boolean {
  return line.length - line.trimStart().length > indent + 1 && line.trim() !== '';
}
