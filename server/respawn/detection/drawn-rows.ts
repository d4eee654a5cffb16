/** The rows of a text from a place on, whole, each with where it begins. */

/** No terminal is wider; a longer row is cut. */
const MAX_ROW = 500;

export interface DrawnRow {
  text: string;
  /** In the whole text. */
  at: number;
}

export function rowsFrom(text: string, from: number): DrawnRow[] {
  let at = from <= 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1;
  return text
    .slice(at)
    .split('\n')
    .map((row) => {
      const found = { text: row.slice(0, MAX_ROW), at };
      at += row.length + 1;
      return found;
    });
}

/** What was found in a text: the words, and where they end. */
export interface Found {
  line: string;
  end: number;
}
