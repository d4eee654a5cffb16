/** The box a prompt is typed into: between two rules, or inside a border. */
import { isRule, lastMarked, type PlainScreen } from './screen-rows.ts';

export interface PromptBox {
  /** Index of the upper edge, of the row with the mark, and of the lower edge. */
  top: number;
  prompt: number;
  bottom: number;
  /** `❯`, or `>` in older clients; `!` and `#` are modes in which a prompt means something else. */
  mark: string;
  /** Its text, typed or suggested. */
  text: string;
  /** The first column of the text. */
  column: number;
  /** Between rules or within a border: both as wide as the terminal. */
  columns: number;
}

/** What is drawn faint on a screen, row by row; null where colours are unknown. */
type Faint = readonly string[] | null;

const OPEN_PROMPT = /^([❯>!#&])(?: |$)/;
const FRAMED_PROMPT = /^│ ([❯>!#&])(?: |$)/;
/** Suggestions of the clients, for screens with the cursor elsewhere. */
const SUGGESTION =
  /^(?:Try "|Resend your message|Once fixed, resend|Press up to edit|Message @|Ask Codex to|Type your message)/;

/**
 * The prompt box in readable rows, or null. It is the last thing drawn in column 0: a box with such
 * rows below it belongs to an earlier client, or is quoted above a dialog.
 */
export function findPromptBox(
  rows: readonly string[],
  cursor: PlainScreen['cursor'] = null,
  faint: Faint = null,
): PromptBox | null {
  const bottom = lastMarked(rows, rows.length);
  let prompt = bottom - 1;
  while (prompt > 0 && /^(?: {2}|$)/.test(rows[prompt] ?? '')) prompt -= 1;
  return (
    openBox(rows, prompt, bottom) ?? framedBox(rows, bottom) ?? draftAbove(rows, cursor, faint)
  );
}

/** While a command or a file is typed, 2.1.197 lists matches in column 0 under the box. */
function draftAbove(
  rows: readonly string[],
  cursor: PlainScreen['cursor'],
  faint: Faint,
): PromptBox | null {
  const prompt = rows.findLastIndex((row) => /^❯ [/@]/.test(row));
  const box = openBox(rows, prompt, prompt + 1);
  if (box === null || boxContent(box, cursor, faint) !== 'draft') return null;
  const listed = rows.slice(box.bottom + 1);
  return listed.every((row) => /^(?:$| |\/|[*+] )/.test(row)) ? box : null;
}

/** Is there text of a person in it? */
export function boxContent(
  box: PromptBox,
  cursor: PlainScreen['cursor'],
  faint: Faint = null,
): 'empty' | 'draft' {
  // In shell or memory mode even the next prompt would be something else.
  if (box.mark !== '❯' && box.mark !== '>') return 'draft';
  if (box.text === '') return 'empty';
  const isInside = cursor !== null && cursor[0] >= box.prompt && cursor[0] < box.bottom;
  if (!isInside) return SUGGESTION.test(box.text) ? 'empty' : 'draft';
  // A suggestion leaves the cursor at its start, where a person can put it too.
  if (cursor[0] > box.prompt || cursor[1] > box.column) return 'draft';
  return faint === null || isSuggested(box, faint) ? 'empty' : 'draft';
}

/** A suggestion is all faint, except the first character where the cursor covers it. */
export function isSuggested(
  { prompt, bottom, column, text }: Pick<PromptBox, 'prompt' | 'bottom' | 'column' | 'text'>,
  faint: readonly string[],
): boolean {
  const all = text.replaceAll(/\s+/g, '');
  const inside = faint.slice(prompt, bottom).map((row) => row.slice(column).replace(/│$/, ''));
  const drawn = inside.join('').replaceAll(/\s+/g, '');
  return drawn !== '' && (drawn === all || drawn === all.slice(1));
}

/** The rows between mark and lower edge are a draft of several lines, indented after the first. */
function openBox(rows: readonly string[], prompt: number, bottom: number): PromptBox | null {
  const mark = OPEN_PROMPT.exec(rows[prompt] ?? '')?.[1];
  if (mark === undefined || !isRule(rows[prompt - 1]) || !isRule(rows[bottom])) return null;
  const text = draftOf(rows.slice(prompt, bottom).map((row) => row.slice(2)));
  const columns = (rows[bottom] ?? '').length;
  return { top: prompt - 1, prompt, bottom, mark, text, column: 2, columns };
}

function framedBox(rows: readonly string[], bottom: number): PromptBox | null {
  if (!/^╰─/.test(rows[bottom] ?? '')) return null;
  let prompt = bottom - 1;
  while (prompt > 0 && (rows[prompt - 1] ?? '').startsWith('│')) prompt -= 1;
  const mark = FRAMED_PROMPT.exec(rows[prompt] ?? '')?.[1];
  if (mark === undefined || !/^╭─/.test(rows[prompt - 1] ?? '')) return null;
  const inside = rows.slice(prompt, bottom).map((row) => row.slice(4).replace(/│$/, ''));
  const columns = (rows[bottom] ?? '').length;
  return { top: prompt - 1, prompt, bottom, mark, text: draftOf(inside), column: 4, columns };
}

function draftOf(rows: readonly string[]): string {
  return rows
    .map((row) => row.trim())
    .join('\n')
    .trim();
}
