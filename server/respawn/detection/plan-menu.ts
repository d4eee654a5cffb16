/**
 * Whether the end of the output is a menu that may be a plan's: numbered options, one of them
 * selected at the left edge, and nothing drawn below that says that the agent continued. A first
 * filter only: what the menu is about is read elsewhere.
 */
import { rowsFrom } from './drawn-rows.ts';
import { findWork } from './working-window.ts';

/** Characters at the end, as published. */
const TAIL = 2_000;
const SELECTED = /^ ?[❯>›] ?\d{1,2}\. \S/u;
const OPTION = /^ {0,4}(?:[❯>›] ?)?\d{1,2}\. (?:Yes|No|Type|Cancel|Skip|Proceed|Approve|Reject)\b/u;
/** An answer, a prompt or the end of a turn: the menu is over, or was quoted. */
const BELOW = /^(?:[●⏺•] |[❯›>](?! ?\d)|[·✢✳*✶✻✽✺✹] )/u;

/** The rows of the menu; null when there is none. */
export function readPlanMenu(text: string): string[] | null {
  const tail = text.slice(-TAIL);
  const rows = rowsFrom(tail, 0);
  const selected = rows.findLastIndex(({ text: row }) => SELECTED.test(row));
  const row = rows[selected];
  if (row === undefined) return null;
  if (rows.slice(selected + 1).some(({ text: below }) => BELOW.test(below))) return null;
  if (findWork(tail.slice(row.at), 0) !== null) return null;
  const menu = rows
    .slice(Math.max(0, selected - 4))
    .map(({ text: option }) => option)
    .filter((option) => SELECTED.test(option) || OPTION.test(option));
  return menu.some((option) => OPTION.test(option)) ? menu.map((option) => option.trim()) : null;
}
