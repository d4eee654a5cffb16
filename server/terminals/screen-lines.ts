/**
 * Turns what a terminal program drew into safe lines: printable text and colour codes (SGR) only.
 * Links, titles, clipboard writes, queries and every other control sequence are dropped. Linear.
 */

/** OSC, DCS, APC, PM and SOS strings; then CSI; then other escapes; then lone control bytes. */
const CONTROL =
  // eslint-disable-next-line no-control-regex -- control bytes are what this is about
  /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|(?:\x1b\[|\x9b)([0-9:;<=>?]*)[ -/]*([@-~])?|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

const SGR_PARAMETERS = /^[0-9:;]*$/;

/** Codes kept open at once; a line that opens more is a bomb, not a picture. */
const MAX_OPEN_CODES = 16;

/**
 * Takes a capture with escape sequences (rows separated by newlines, attributes carried over from
 * row to row); gives its rows, each of which can be drawn on its own.
 */
export function screenLines(capture: string): string[] {
  const open: string[] = [];
  return capture.split('\n').map((row) => {
    const carried = open.join('');
    const text = row.replace(CONTROL, (_, parameters?: string, final?: string) => {
      if (final !== 'm' || parameters === undefined || !SGR_PARAMETERS.test(parameters)) return '';
      track(open, parameters);
      return `\x1b[${parameters}m`;
    });
    const reset = open.length > 0 ? '\x1b[0m' : '';
    return carried + text + reset;
  });
}

function track(open: string[], parameters: string): void {
  if (parameters === '' || /^0*(;|$)/.test(parameters)) open.length = 0;
  if (/^[0;]*$/.test(parameters)) return;
  open.push(`\x1b[${parameters}m`);
  if (open.length > MAX_OPEN_CODES) open.shift();
}

/** Takes safe lines; gives them without colour codes. */
export function plainLines(lines: readonly string[]): string[] {
  // eslint-disable-next-line no-control-regex -- the escape that starts each code
  return lines.map((line) => line.replaceAll(/\x1b\[[0-9:;]*m/g, ''));
}
