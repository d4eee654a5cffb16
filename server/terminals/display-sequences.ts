/**
 * Which control sequences may reach a viewer's terminal emulator: those that draw. Nothing an
 * emulator would answer, no strings (titles, links, clipboard), nothing that costs it more than its
 * size.
 */
import { COLS_BOUNDS, ROWS_BOUNDS } from './terminal.ts';

/** Moves, erases, inserts, deletes, scrolls, repeats, sets tabs and margins, saves the cursor. */
const DRAWING = new Set('@ABCDEFGHIJKLMPSTXZ`abdefgrsu');
/** Reverse scrolling with more parameters starts mouse tracking in an old terminal. */
const MAX_SCROLL_DOWN_PARAMETERS = 1;
/** Erasing that spares protected characters. */
const PRIVATE_DRAWING = new Set('JK');
/** Insert mode, line feed means new line. */
const MODES = new Set([4, 20]);
/**
 * Cursor keys, reverse video, origin, wrap, blink, cursor, alternate screens, keypad, mouse kinds
 * and the exact coordinates of a mouse, bracketed paste, synchronised output. Not 1004: an emulator
 * answers it at once with its focus state.
 */
const PRIVATE_MODES = new Set([
  1, 5, 6, 7, 12, 25, 47, 66, 1047, 1048, 1049, 9, 1000, 1002, 1003, 1006, 1016, 2004, 2026,
]);
/**
 * A count or position beyond the largest terminal has no meaning, and a large one is costly for an
 * emulator.
 */
const MAX_NUMBER = Math.max(COLS_BOUNDS[1], ROWS_BOUNDS[1]);
/** Save and restore, index, next line, tab stop, reverse index, reset, keypad. */
const ESCAPES = new Set('78DEHMc=>');
/** ASCII, line drawing, British: what full-screen programs choose between. */
const CHARACTER_SET = /^[()*+][0AB]$/;
const CURSOR_STYLE = /^[0-6]?$/;
const CSI = /^([<-?]*)([0-9:;]*)([ -/]*)([@-~])$/;

/** `body` follows `ESC [`, ASCII. The same or less of it, or null when it is not allowed. */
export function displayableCsi(body: string): string | null {
  const [, prefix, parameters, intermediates, final] = CSI.exec(body) ?? [];
  if (final === undefined || parameters === undefined) return null;
  if (intermediates === ' ') {
    return final === 'q' && prefix === '' && CURSOR_STYLE.test(parameters) ? body : null;
  }
  if (intermediates === '!') return body === '!p' ? body : null;
  if (intermediates !== '') return null;
  if (prefix === '?') return displayablePrivate(parameters, final);
  if (prefix !== '') return null;
  if (final === 'm') return body;
  if (final === 'h' || final === 'l') return modes('', parameters, MODES, final);
  if (!DRAWING.has(final) || parameters.includes(':')) return null;
  const numbers = parameters.split(';');
  if (final === 'T' && numbers.length > MAX_SCROLL_DOWN_PARAMETERS) return null;
  return numbers.map(bounded).join(';') + final;
}

/** `body` follows an ESC that starts neither a CSI nor a string. */
export function isDisplayableEscape(body: string): boolean {
  return ESCAPES.has(body) || CHARACTER_SET.test(body) || body === '#8';
}

function displayablePrivate(parameters: string, final: string): string | null {
  if (PRIVATE_DRAWING.has(final))
    return /^[0-3]?$/.test(parameters) ? `?${parameters}${final}` : null;
  return final === 'h' || final === 'l' ? modes('?', parameters, PRIVATE_MODES, final) : null;
}

/** Only the known modes of a list. */
function modes(prefix: string, parameters: string, known: Set<number>, final: string) {
  const kept = parameters.split(';').filter((word) => known.has(Number(word)));
  return kept.length === 0 ? null : prefix + kept.join(';') + final;
}

function bounded(word: string): string {
  return Number(word) > MAX_NUMBER ? String(MAX_NUMBER) : word;
}
