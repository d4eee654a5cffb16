/** The width of text in a terminal, in columns. */
import { withoutStyle } from './style.ts';

const ZERO = /[\p{Mark}\p{Cf}]/u;
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;

/** Colour codes take no columns. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of withoutStyle(text)) width += characterWidth(character);
  return width;
}

/** Cuts one line into rows of at most `columns`, at spaces where there are any; loses no character. */
export function wrapText(line: string, columns: number): string[] {
  const limit = Math.max(columns, 2);
  const rows: string[] = [];
  let row = '';
  let width = 0;
  for (const character of line) {
    const added = characterWidth(character);
    if (width + added > limit) {
      const space = row.lastIndexOf(' ');
      const cut = space > 0 ? space + 1 : row.length;
      rows.push(row.slice(0, cut));
      row = row.slice(cut);
      width = textWidth(row);
    }
    row += character;
    width += added;
  }
  return [...rows, row];
}

function characterWidth(character: string): number {
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
