/**
 * Turns a program's drawing into safe lines: printable text and colour codes (SGR) only. Links,
 * titles, clipboard writes, queries and every other control sequence are dropped. Linear.
 */

import { SgrState } from './sgr-state.ts';

/** OSC, DCS, APC, PM and SOS strings; then CSI; then other escapes; then lone control bytes. */
const CONTROL =
  // eslint-disable-next-line no-control-regex -- control bytes are what this is about
  /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|(?:\x1b\[|\x9b)([0-9:;<=>?]*)[ -/]*([@-~])?|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

const RESET = '\x1b[0m';
const SGR_PARAMETERS = /^[0-9:;]*$/;

/**
 * `capture` has escape sequences, rows separated by newlines, and attributes that carry over from
 * row to row; each row of the result can be drawn on its own.
 */
export function screenLines(capture: string): string[] {
  const state = new SgrState();
  return capture.split('\n').map((row) => screenLine(row, state));
}

interface Run {
  code: string;
  text: string;
  /** A space in it is visible. */
  painted: boolean;
}

function screenLine(row: string, state: SgrState): string {
  const runs: Run[] = [];
  let from = 0;
  const draw = (text: string) => {
    if (text === '') return;
    const code = state.code();
    const last = runs.at(-1);
    if (last?.code === code) last.text += text;
    else runs.push({ code, text, painted: state.paintsBlanks });
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
  return drawn(withoutEnd(runs));
}

/** Without the invisible spaces at the end. */
function withoutEnd(runs: readonly Run[]): Run[] {
  for (let end = runs.length; end > 0; end -= 1) {
    const last = runs[end - 1];
    if (last === undefined) continue;
    const text = last.painted ? last.text : last.text.trimEnd();
    if (text !== '') return [...runs.slice(0, end - 1), { ...last, text }];
  }
  return [];
}

/** Each run starts from a plain state, and so does what follows the row. */
function drawn(runs: readonly Run[]): string {
  let line = '';
  let before = '';
  for (const { code, text } of runs) {
    if (code !== before) line += (before === '' ? '' : RESET) + code;
    line += text;
    before = code;
  }
  return before === '' ? line : line + RESET;
}

// eslint-disable-next-line no-control-regex -- the escape that starts each code
const COLOUR = /\x1b\[([0-9:;]*)m/;

/** Safe lines without colour codes. */
export function plainLines(lines: readonly string[]): string[] {
  return lines.map((line) => line.replaceAll(new RegExp(COLOUR, 'g'), ''));
}

/**
 * What is drawn faint in each safe line, spaces in place of everything else. Null for a screen
 * without any colour, whose program may have colours turned off.
 */
export function faintLines(lines: readonly string[]): string[] | null {
  if (!lines.some((line) => COLOUR.test(line))) return null;
  return lines.map((line) => {
    const state = new SgrState();
    // Text alternates with the parameters of the code after it.
    return line
      .split(COLOUR)
      .map((part, index) => {
        if (index % 2 === 0) return state.isFaint ? part : ' '.repeat(part.length);
        state.apply(part);
        return '';
      })
      .join('');
  });
}
