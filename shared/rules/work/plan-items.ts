import type { PlanItem } from '../../schema/runs/run.ts';
import { fencedLines } from '../text/fenced-lines.ts';
import { oneLine } from '../text/plain-text.ts';

const MAX_ITEMS = 500;
const MAX_LENGTH = 300;

const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[([ xX])\](?=[ \t]|$))?(.*)$/;
const RULE = /^[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$/;

/**
 * The items of a plan in Markdown, at most 500 of 300 characters each, none from code blocks. As
 * soon as one has a checkbox, only those with one are items: the rest are notes that are never ticked.
 */
export function planItems(text: string): PlanItem[] {
  const found = fencedLines(text).flatMap(({ line, isCode }) => (isCode ? [] : itemOf(line)));
  const boxed = found.filter(({ box }) => box !== null);
  const kept = (boxed.length > 0 ? boxed : found).slice(0, MAX_ITEMS);
  const indents: number[] = [];
  return kept.map(({ indent, box, text }) => {
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    indents.push(indent);
    return { text, level: indents.length - 1, done: box === 'x' };
  });
}

function itemOf(line: string) {
  const [, blanks = '', box, rest = ''] = ITEM.exec(line) ?? [];
  const text = oneLine(rest, MAX_LENGTH);
  if (text === '' || RULE.test(line)) return [];
  return [{ indent: widthOf(blanks), box: box?.toLowerCase() ?? null, text }];
}

/** A tab leads to the next multiple of four. */
function widthOf(blanks: string): number {
  let width = 0;
  for (const blank of blanks) width += blank === '\t' ? 4 - (width % 4) : 1;
  return width;
}
