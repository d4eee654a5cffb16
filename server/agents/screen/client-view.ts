/**
 * A view the client draws in place of its prompt, or around it: the keys go elsewhere, or Enter does
 * something else there. Nothing may be typed into one.
 */
import type { ClientView } from '../../../shared/rules/client-view.ts';
import type { PromptBox } from './find-prompt-box.ts';
import { isRule, type PlainScreen, wordsOf } from './screen-rows.ts';

export interface OpenView {
  view: ClientView;
  /** The view's own words. */
  detail: string | null;
}

/** The box starts another session. */
const NEW_SESSION = /^describe a task\b/i;
/** What keys do to a list of sessions; under a prompt no row says what Enter does. */
const SESSION_KEYS =
  /^ {1,4}(?:enter|return|space) to \w+|\bspace to reply\b|\bctrl ?[+-] ?x to (?:remove|delete|stop)\b/i;
/** The client's sign, and beside it how many sessions do what. */
const SIGN = /^ ?[▐▝▗▘▛▜][▛▜▝▘▐█▌▙▟]{2}/;
const SESSION_COUNTS = /^ {1,2}[▝▘ ]{4,}\d+ (?:awaiting|working|completed|need)/;
const SEARCH = /^ {1,4}(?:search|filter) (?:prompts|history)\b/i;
const TRANSCRIPT = /\bdetailed transcript\b/i;

/** Reads the rows around a prompt box; null when the box is the prompt of this conversation. */
export function viewAroundBox(
  rows: readonly string[],
  box: PromptBox,
  content: 'empty' | 'draft',
): OpenView | null {
  const footer = rows.slice(box.bottom + 1);
  const search = footer.find((row) => SEARCH.test(row));
  if (search !== undefined) return { view: 'history_search', detail: wordsOf([search]) };
  const said =
    footer.find((row) => SESSION_KEYS.test(row)) ??
    rows
      .slice(0, box.top)
      .find((row, index) => SESSION_COUNTS.test(row) && SIGN.test(rows[index - 1] ?? '')) ??
    (content === 'empty' && NEW_SESSION.test(box.text) ? box.text : undefined);
  return said === undefined ? null : { view: 'agents_view', detail: wordsOf([said]) };
}

/** A look at the whole conversation, which ends at the row `end`. */
export function transcriptView(
  rows: readonly string[],
): { detail: string | null; end: number; isAtWork: boolean } | null {
  const tail = rows.findLastIndex((row) => row !== '');
  const footer = rows.slice(Math.max(0, tail - 1), tail + 1).filter((row) => TRANSCRIPT.test(row));
  const end = rows.findLastIndex((row) => isRule(row));
  if (footer.length === 0 || end === -1) return null;
  const isAtWork = footer.some((row) => /^ {1,4}working · /.test(row));
  return { detail: wordsOf(footer), end, isAtWork };
}

/**
 * Tells whether what is typed goes into the box. Clients with this mark keep the cursor where they
 * take keys, also while they hide it; older ones leave it elsewhere.
 */
export function takesKeys(box: PromptBox, cursor: PlainScreen['cursor']): boolean {
  // In the corner stands a cursor that was never placed.
  if (cursor === null || box.mark === '>' || (cursor[0] === 0 && cursor[1] === 0)) return true;
  return cursor[0] >= box.prompt && cursor[0] < box.bottom;
}
