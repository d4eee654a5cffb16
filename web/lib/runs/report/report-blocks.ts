/**
 * Markdown as blocks: headings, lists, tables, code, code and strong text. The rest stays text, and
 * nothing becomes HTML. Pure.
 */
import type { Span } from '$lib/conversation/text-blocks.ts';

type Spans = readonly Span[];

export interface ListItem {
  /** From 0. */
  level: number;
  /** Null without a checkbox. */
  done: boolean | null;
  /** As written; null in a list without numbers. */
  number: string | null;
  spans: Spans;
}

export type Block =
  | { kind: 'heading'; level: number; spans: Spans }
  | { kind: 'code'; text: string }
  | { kind: 'list'; items: ListItem[] }
  | { kind: 'table'; head: Spans[]; rows: Spans[][] }
  | { kind: 'text'; spans: Spans };

const FENCE = /^ {0,3}(`{3,})[^`]*$/;
const HEADING = /^(#{1,6}) (.+)$/;
const ITEM = /^( *)(?:[-*+]|(\d{1,5})[.)]) (?:\[([ xX])\] )?(.*)$/;
const ROW = /^\| (.+) \|$/;
/** Deeper ones are drawn at this level. */
const MAX_LEVEL = 6;
/** In characters; a longer line is shown as it is. */
const MAX_LINE = 4_000;
const DIVIDER = /^\|[ :|-]+\|$/;

/** An unclosed fence extends to the end. */
export function reportBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, fence] = FENCE.exec(line) ?? [];
    const [, signs = '', title] = HEADING.exec(line) ?? [];
    if (fence !== undefined) {
      const end = lines.findIndex((each, n) => n > at && each.trim() === fence);
      const until = end === -1 ? lines.length : end;
      blocks.push({ kind: 'code', text: lines.slice(at + 1, until).join('\n') });
      at = until;
    } else if (title !== undefined) {
      blocks.push({ kind: 'heading', level: signs.length, spans: reportSpans(title) });
    } else if (line.trim() !== '') {
      addLine(blocks, line, lines[at - 1]?.trim() === '');
    }
  }
  return blocks;
}

/** Items and rows next to each other are one list or table. */
function addLine(blocks: Block[], line: string, isApart: boolean): void {
  const last = isApart ? undefined : blocks.at(-1);
  const before = blocks.at(-1);
  const item = ITEM.exec(line);
  const row = ROW.exec(line)?.[1]?.split(' | ').map(reportSpans);
  if (item !== null) {
    const [, indent = '', number = null, box, rest = ''] = item;
    const done = box === undefined ? null : box.toLowerCase() === 'x';
    const level = Math.min(Math.floor(indent.length / 2), MAX_LEVEL);
    const found = { level, done, number, spans: reportSpans(rest) };
    // An empty line between two items does not begin another list.
    if (before?.kind === 'list') before.items.push(found);
    else blocks.push({ kind: 'list', items: [found] });
  } else if (DIVIDER.test(line) && last?.kind === 'table') {
    return;
  } else if (row !== undefined) {
    if (last?.kind === 'table') last.rows.push(row);
    else blocks.push({ kind: 'table', head: row, rows: [] });
  } else {
    addText(blocks, last, line);
  }
}

/** A line that continues an item or a paragraph; each keeps its end of line. */
function addText(blocks: Block[], last: Block | undefined, line: string): void {
  const item = last?.kind === 'list' && /^ {2}/.test(line) ? last.items.at(-1) : undefined;
  if (item !== undefined) item.spans = [...item.spans, ...continued(line)];
  else if (last?.kind === 'text') last.spans = [...last.spans, ...continued(line)];
  else blocks.push({ kind: 'text', spans: reportSpans(line) });
}

function continued(line: string): Span[] {
  return [{ kind: 'plain', text: '\n' }, ...reportSpans(line.trim())];
}

const SPAN = /(`+)(.*?[^`])\1(?!`)|\*\*((?:\\.|[^*\\])+)\*\*|\\([!-/:-@[-`{-~])|([^`*\\]+|.)/g;

/** Code, strong text, and signs that a backslash makes plain. */
export function reportSpans(text: string): Span[] {
  if (text.length > MAX_LINE) return [{ kind: 'plain', text }];
  const spans: Span[] = [];
  for (const [, , code, strong, sign, plain] of text.matchAll(SPAN)) {
    const last = spans.at(-1);
    if (code !== undefined) spans.push({ kind: 'code', text: unpadded(code) });
    else if (strong !== undefined) spans.push({ kind: 'strong', text: unescaped(strong) });
    else if (last?.kind === 'plain') last.text += sign ?? plain ?? '';
    else spans.push({ kind: 'plain', text: sign ?? plain ?? '' });
  }
  return spans;
}

/** One blank at each end belongs to the marks. */
function unpadded(code: string): string {
  return /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code;
}

function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
