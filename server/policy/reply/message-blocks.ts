/** The message at the end of an agent's turn, as the paragraphs and lists that a reader sees. */
import { ownText, type MaskedText } from './own-text.ts';

export type MessageBlock =
  { kind: 'prose'; content: MaskedText } | { kind: 'list'; items: ListItem[] };

export interface ListItem {
  /** `2` or `B`; '' for a bullet. */
  key: string;
  content: MaskedText;
  /** Lists, text and code indented below it. */
  details: string[];
}

const FENCE = /^\s*(```|~~~)/;
/** Quotations, tables, rules. */
const SKIPPED = /^\s*(?:>|\||(?:[-*_] ?){3,}$)/;
const HEADING = /^\s{0,3}#{1,6}\s+/;

const NUMBERED =
  /^(\s*)(?:\*\*)?(?:(?:option|approach|alternative|choice) (\d{1,2}|[A-Z])\b(?:\*\*)?\s*[.):–—-]|[([]?(\d{1,2}|[A-Za-z])[.)\]:])(?:\*\*)?\s+(\S.*)$/i;
const BULLET = /^(\s*)[-*•+]\s+(\S.*)$/;

/** No real line has more of them. */
const MAX_ITEMS = 12;

/**
 * The blocks of Markdown in order, without code blocks, quotations, tables and headings that ask
 * nothing. Everything indented below an item, and code there, is a detail of it. Linear.
 */
export function messageBlocks(text: string): MessageBlock[] {
  const blocks: MessageBlock[] = [];
  let paragraph: string[] = [];
  let fence: string | null = null;
  let items: ListItem[] | null = null;
  let indent = 0;
  const endParagraph = () => {
    if (paragraph.length > 0) {
      blocks.push({ kind: 'prose', content: ownText(paragraph.join(' ')) });
      // A list continues over blank lines, but not over prose.
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
    } else if (line.trim() === '' || SKIPPED.test(line)) endParagraph();
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

/** Null when the line is not part of a list. */
function listItems(line: string): { items: ListItem[]; indent: number } | null {
  const numbered = NUMBERED.exec(line);
  if (numbered !== null) {
    const [, space = '', option, key = '', text = ''] = numbered;
    const items = option === undefined ? parted(key, text.trim()) : [itemOf(option, text.trim())];
    return { items, indent: space.length };
  }
  const [, space = '', text] = BULLET.exec(line) ?? [];
  return text === undefined ? null : { items: [itemOf('', text.trim())], indent: space.length };
}

/** `1) REST 2) GraphQL` in one line. */
function parted(key: string, text: string): ListItem[] {
  const next = /\d/.test(key)
    ? String(Number(key) + 1)
    : String.fromCharCode(key.charCodeAt(0) + 1);
  const mark = new RegExp(String.raw`[,;]?\s+[([]?${next}[)\]]\s+(?=\S)`);
  const mayBe = /^(?:\d+|[A-Za-z])$/.test(next) && !(Number(next) > MAX_ITEMS);
  const found = mayBe ? mark.exec(ownText(text).own) : null;
  if (found === null) return [itemOf(key, text)];
  const rest = parted(next, text.slice(found.index + found[0].length));
  return [itemOf(key, text.slice(0, found.index)), ...rest];
}

function itemOf(key: string, text: string): ListItem {
  return { key, content: ownText(text), details: [] };
}
