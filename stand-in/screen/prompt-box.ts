/** The moving bottom of the screen: queued texts, spinner, prompt box and footer, as rows. */
import { type DialogView, renderDialog } from './dialog.ts';
import { accent, type Box, dim, grey } from '../style.ts';
import { textWidth, wrapText } from '../text-width.ts';
import { duration } from '../files/transcript.ts';

export interface BoxView {
  draft: string;
  queue: readonly string[];
  work: { verb: string; elapsedMs: number; frame: number } | null;
  mode: string;
  hint: string | null;
  /** Replaces the box. */
  dialog: DialogView | null;
}

const GLYPHS = ['·', '✢', '*', '✶', '✻', '✽'];
/** With a no-break space, as the client draws it: an empty box survives the trimming of captures. */
const MARK = '❯\u00a0';
const QUEUED_MARK = '❯ ';
const MAX_DRAFT_ROWS = 6;
const MAX_QUEUE_ROWS = 3;
/** A plausible speed for the token counter. */
const TOKENS_PER_SECOND = 5.7;

const MODES: Readonly<Record<string, string>> = {
  acceptEdits: '⏵⏵ accept edits on (shift+tab to cycle)',
  auto: '⏵⏵ auto mode on (shift+tab to cycle)',
  bypassPermissions: '⏵⏵ bypass permissions on (shift+tab to cycle)',
  plan: '⏸ plan mode on (shift+tab to cycle)',
};

export function renderBox(view: BoxView, columns: number): Box {
  if (view.dialog !== null) return renderDialog(view.dialog, columns);
  const above = ['', ...queueRows(view.queue, columns), ...workRows(view.work, columns)];
  const rule = grey('─'.repeat(columns));
  const draft = draftRows(view.draft, columns);
  const rows = [...above, rule, ...draft, rule, footer(view, columns)];
  const column = Math.min(textWidth(draft.at(-1) ?? MARK), columns - 1);
  return { rows, cursor: { row: above.length + draft.length, column }, cursorHidden: false };
}

/**
 * Rows between the top of the drawn box and the cursor, after the terminal may have become narrower
 * and wrapped what was drawn.
 */
export function rowsAboveCursor(box: Box, columns: number): number {
  const wrapped = box.rows
    .slice(0, box.cursor.row)
    .map((row) => Math.max(1, Math.ceil(textWidth(row) / columns)));
  const above = wrapped.reduce((sum, rows) => sum + rows, 0);
  return above + Math.floor(box.cursor.column / columns);
}

function queueRows(queue: readonly string[], columns: number): string[] {
  if (queue.length === 0) return [];
  const shown = queue.slice(-MAX_QUEUE_ROWS).map((text) => grey(clip(QUEUED_MARK + text, columns)));
  return [...shown, dim(clip('  ⎿  Queued', columns)), ''];
}

function workRows(work: BoxView['work'], columns: number): string[] {
  if (work === null) return [];
  const glyph = GLYPHS[work.frame % GLYPHS.length] ?? '·';
  const tokens = Math.floor((work.elapsedMs / 1000) * TOKENS_PER_SECOND);
  const numbers = `(${duration(work.elapsedMs)} · ↓ ${tokens} tokens)`;
  return [accent(clip(`${glyph} ${work.verb}… ${numbers}`, columns)), ''];
}

/** Keeps the end of a long draft visible; the mark is on the first row shown. */
function draftRows(draft: string, columns: number): string[] {
  const rows = draft.split('\n').flatMap((line) => wrapText(line, columns - MARK.length - 1));
  return rows.slice(-MAX_DRAFT_ROWS).map((row, index) => (index === 0 ? MARK : '  ') + row);
}

function footer(view: BoxView, columns: number): string {
  const mode = MODES[view.mode] ?? '⏸ manual mode on';
  const state = view.work === null ? mode : `${mode} · esc to interrupt`;
  return dim(clip(`  ${view.hint ?? state}`, columns));
}

function clip(text: string, columns: number): string {
  return wrapText(text.replaceAll('\n', ' '), columns)[0]?.trimEnd() ?? '';
}
