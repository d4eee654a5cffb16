/** Screens drawn as clients draw them, for cases without a recording. */
import type { PlainScreen } from '../../../server/agents/screen/screen-rows.ts';

/** Horizontal rules, as drawings name them. */
const LINES: Readonly<Record<string, string>> = { '{rule}': '─', '{top}': '▔', '{dashes}': '╌' };
/** A rule with a title near its end. */
const TITLED = /^\{rule\} (.+)$/;

export interface Drawing {
  columns?: number;
  height?: number;
  /** Rows above the box or the dialog; longer ones are wrapped as the client wraps them. */
  above: readonly string[];
  /** The box; null for a dialog, which is part of `above`. */
  draft?: string | null;
  mark?: string;
  footer?: readonly string[];
  program?: string;
}

export function drawScreen(drawing: Drawing): PlainScreen {
  const { columns = 120, height = 40, draft = '', mark = '❯', program = 'claude' } = drawing;
  const above = drawing.above.flatMap((row) =>
    wrapRow(LINES[row]?.repeat(columns) ?? titled(row, columns), columns),
  );
  if (draft === null) return { rows: above, cursor: [0, 0], program };
  const rule = '─'.repeat(columns);
  const footer = (drawing.footer ?? ['⏸ manual mode on']).map((row) =>
    `  ${row}`.slice(0, columns),
  );
  const box = [rule, `${mark}\u00a0${draft}`, rule, ...footer];
  const gap = Math.max(0, height - above.length - box.length);
  // A spinner is at the bottom, the transcript at the top.
  const rows = [...above, ...Array<string>(Math.min(gap, 1)).fill(''), ...box];
  return { rows, cursor: [rows.length - footer.length - 2, 2 + draft.length], program };
}

function titled(row: string, columns: number): string {
  const title = TITLED.exec(row)?.[1];
  return title === undefined ? row : `${'─'.repeat(columns - title.length - 4)} ${title} ──`;
}

function wrapRow(row: string, columns: number): string[] {
  if (row.length <= columns || /^[─▔╌│╭╰]/.test(row)) return [row.slice(0, columns)];
  const indent = row.length - row.trimStart().length;
  const hanging = ' '.repeat(indent + (/^\s*([●⏺❯>⎿✻✽✶✢*✳·•]|\d+\.) /.test(row) ? 2 : 0));
  const rows: string[] = [];
  let line = '';
  for (const word of row.trimStart().split(' ')) {
    const start = rows.length === 0 ? ' '.repeat(indent) : hanging;
    const longer = line === '' ? start + word : `${line} ${word}`;
    if (longer.length > columns && line !== '') {
      rows.push(line);
      line = hanging + word;
    } else line = longer;
  }
  return [...rows, line];
}
