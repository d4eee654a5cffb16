/**
 * A view the client draws in place of its prompt, or around it: keys go elsewhere, or Enter does
 * something else there. Nothing may be typed into one.
 */
import type { ClientView } from '../../../shared/rules/events/client-view.ts';
import type { PromptBox } from './find-prompt-box.ts';
import { isRule, joinedText, type PlainScreen } from './screen-rows.ts';

export interface OpenView {
  view: ClientView;
  /** As the view words it. */
  detail: string | null;
}

/** The box starts another session. */
const NEW_SESSION = /^describe a task\b/i;
/** What keys do in a list of sessions; under a prompt no row explains Enter. */
const SESSION_KEYS =
  /^ {1,4}(?:enter|return|space) to \w+|\bspace to reply\b|\bctrl ?[+-] ?x to (?:remove|delete|stop)\b/i;
/** The client's sign, and next to it how many sessions are in which state. */
const SIGN = /^ ?[▐▝▗▘▛▜][▛▜▝▘▐█▌▙▟]{2}/;
const SESSION_COUNTS = /^ {1,2}[▝▘ ]{4,}\d+ (?:awaiting|working|completed|need)/;
const SEARCH = /^ {1,4}(?:search|filter) (?:prompts|history)\b/i;
const TRANSCRIPT = /\bdetailed transcript\b/i;

/** Null when the box is the prompt of this conversation. */
export function viewAroundBox(
  rows: readonly string[],
  box: PromptBox,
  content: 'empty' | 'draft',
): OpenView | null {
  const footer = rows.slice(box.bottom + 1);
  const search = footer.find((row) => SEARCH.test(row));
  if (search !== undefined) return { view: 'history_search', detail: joinedText([search]) };
  const hint =
    footer.find((row) => SESSION_KEYS.test(row)) ??
    rows
      .slice(0, box.top)
      .find((row, index) => SESSION_COUNTS.test(row) && SIGN.test(rows[index - 1] ?? '')) ??
    (content === 'empty' && NEW_SESSION.test(box.text) ? box.text : undefined);
  return hint === undefined ? null : { view: 'agents_view', detail: joinedText([hint]) };
}

/** The view of the whole conversation, which ends at the row `end`. */
export function transcriptView(
  rows: readonly string[],
): { detail: string | null; end: number; isAtWork: boolean } | null {
  const tail = rows.findLastIndex((row) => row !== '');
  const footer = rows.slice(Math.max(0, tail - 1), tail + 1).filter((row) => TRANSCRIPT.test(row));
  const end = rows.findLastIndex((row) => isRule(row));
  if (footer.length === 0 || end === -1) return null;
  const isAtWork = footer.some((row) => /^ {1,4}working · /.test(row));
  return { detail: joinedText(footer), end, isAtWork };
}

/**
 * True when typed text goes into the box. Clients with this mark keep the cursor where they take
 * keys, even while they hide it; older ones leave it elsewhere.
 */
export function takesKeys(box: PromptBox, cursor: PlainScreen['cursor']): boolean {
  // A cursor in the corner was never placed.
  if (cursor === null || box.mark === '>' || (cursor[0] === 0 && cursor[1] === 0)) return true;
  return cursor[0] >= box.prompt && cursor[0] < box.bottom;
}
