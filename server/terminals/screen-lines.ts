/**
 * Turns what a terminal program drew into safe lines: printable text and colour codes (SGR) only.
 * Links, titles, clipboard writes, queries and every other control sequence are dropped. Linear.
 */

import { SgrState } from './sgr-state.ts';

/** OSC, DCS, APC, PM and SOS strings; then CSI; then other escapes; then lone control bytes. */
const CONTROL =
  // eslint-disable-next-line no-control-regex -- control bytes are what this is about
  /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|(?:\x1b\[|\x9b)([0-9:;<=>?]*)[ -/]*([@-~])?|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

const RESET = '\x1b[0m';
const SGR_PARAMETERS = /^[0-9:;]*$/;

/**
 * Takes a capture with escape sequences (rows separated by newlines, attributes carried over from
 * row to row); gives its rows, each of which can be drawn on its own.
 */
export function screenLines(capture: string): string[] {
  const state = new SgrState();
  return capture.split('\n').map((row) => screenLine(row, state));
}

function screenLine(row: string, state: SgrState): string {
  let line = '';
  let drawnWith = '';
  let from = 0;
  const draw = (text: string) => {
    if (text === '') return;
    const code = state.code();
    if (code !== drawnWith) line += (drawnWith === '' ? '' : RESET) + code;
    drawnWith = code;
    line += text;
  };
  for (const match of row.matchAll(CONTROL)) {
    draw(row.slice(from, match.index));
    from = match.index + match[0].length;
    const [, parameters, final] = match;
    if (final === 'm' && parameters !== undefined && SGR_PARAMETERS.test(parameters)) {
      state.apply(parameters);
    }
  }
  draw(row.slice(from));
  return drawnWith === '' ? line : line + RESET;
}

/** Takes safe lines; gives them without colour codes. */
export function plainLines(lines: readonly string[]): string[] {
  // eslint-disable-next-line no-control-regex -- the escape that starts each code
  return lines.map((line) => line.replaceAll(/\x1b\[[0-9:;]*m/g, ''));
}
