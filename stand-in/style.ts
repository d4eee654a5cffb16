/** The few colours of the client; text stays readable without any of them. */
const RESET = '\u001b[0m';
// eslint-disable-next-line no-control-regex -- a colour code is a control sequence
const STYLE = /\u001b\[[0-9;]*m/g;

/** Less important text. */
export const dim = (text: string): string => `\u001b[2m${text}${RESET}`;
/** Rules and echoes. */
export const grey = (text: string): string => `\u001b[38;5;244m${text}${RESET}`;
/** Success, additions, work in progress. */
export const green = (text: string): string => `\u001b[32m${text}${RESET}`;
/** Removals. */
export const red = (text: string): string => `\u001b[31m${text}${RESET}`;
/** A tool call. */
export const bold = (text: string): string => `\u001b[1m${text}${RESET}`;
/** Anything that moves. */
export const accent = (text: string): string => `\u001b[38;5;173m${text}${RESET}`;

export function withoutStyle(text: string): string {
  return text.replace(STYLE, '');
}

/** Rows from top to bottom, none wider than the terminal, and the position of the cursor in them. */
export interface Box {
  rows: string[];
  cursor: { row: number; column: number };
  cursorHidden: boolean;
}
