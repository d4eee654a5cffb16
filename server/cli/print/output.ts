/** How a command prints what it found: for a person, or as JSON for a script. */
import { print, printJson } from './print.ts';

export const FORMATS = ['table', 'json', 'jsonl'] as const;

/** `--output` sets `json` too. */
export interface Output {
  json?: boolean;
  output?: (typeof FORMATS)[number];
  /** Of lists: only the ids. */
  quiet?: boolean;
}

export interface ListView<Row> {
  /** What other commands accept for this row. */
  id: (row: Row) => string;
  lines: (rows: readonly Row[]) => string[];
  /** In place of a list without rows. */
  none: string;
}

export function printList<Row>(rows: readonly Row[], options: Output, view: ListView<Row>): void {
  if (options.output === 'jsonl') print(rows.map((row) => JSON.stringify(row)));
  else if (options.json === true) printJson(rows);
  else if (options.quiet === true) print(rows.map((row) => view.id(row)));
  else print(rows.length === 0 ? [view.none] : view.lines(rows));
}

/** One object. `lines` is for a person and runs only then. */
export function printOne(value: unknown, options: Output, lines: () => string | string[]): void {
  if (options.json === true) printJson(value);
  else print(lines());
}
