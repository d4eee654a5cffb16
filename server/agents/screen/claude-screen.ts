/** Reads a screen of Claude Code, in any layout of its versions. */
import { readActivity } from './activity-row.ts';
import { takesKeys, transcriptView, viewAroundBox } from './client-view.ts';
import { readDialog } from './dialog-reading.ts';
import type { ClientView } from '../../../shared/rules/events/client-view.ts';
import { boxContent, type PromptBox } from './find-prompt-box.ts';
import { readLimitLine } from '../failure-patterns.ts';
import type { PlainScreen } from './screen-rows.ts';
import { NOTHING_READ, type ScreenReading } from './screen-reading.ts';
import { readOutcome } from './turn-outcome.ts';

const BUSY_FOOTER = /\besc to (?:interrupt|cancel the turn)\b/;
const LOGO = /^ ?[▐▝▗][▛▜▝▘▐█▌▙▟]{3}/;

/** For readable rows with a box in them; `faint` where it is known. */
export function readBoxScreen(
  rows: readonly string[],
  box: PromptBox,
  cursor: PlainScreen['cursor'],
  faint: readonly string[] | null,
): ScreenReading {
  const content = boxContent(box, cursor, faint);
  const drawn = { box: content, draft: content === 'draft' ? draftIn(box) : null };
  const open = viewAroundBox(rows, box, content);
  if (open?.view === 'agents_view') return viewReading(open.view, open.detail);
  const activity = readActivity(rows, box.top, box.columns);
  if (open !== null || !takesKeys(box, cursor)) {
    if (activity !== null) return { ...activity, untilText: null, box: 'none' };
    return open === null ? NOTHING_READ : viewReading(open.view, open.detail);
  }
  const footer = rows.slice(box.bottom + 1);
  if (activity !== null) return { ...activity, untilText: null, ...drawn };
  if (footer.some((row) => BUSY_FOOTER.test(row))) {
    return { state: 'working', cause: 'none', detail: null, untilText: null, ...drawn };
  }
  const outcome = readOutcome(rows, box.top, footer);
  const cause = outcome.state === 'ready' && content === 'draft' ? 'draft' : outcome.cause;
  return { ...outcome, cause, ...drawn };
}

function draftIn({ mark, text }: PromptBox): string {
  return mark === '❯' || mark === '>' ? text : mark + text;
}

/** For readable rows without a prompt box. */
export function readBoxlessScreen(rows: readonly string[]): ScreenReading {
  const transcript = transcriptView(rows);
  if (transcript !== null) {
    const { detail, end, isAtWork } = transcript;
    const activity = readActivity(rows, end, longest(rows));
    if (activity !== null) return { ...activity, untilText: null, box: 'none' };
    const reading = viewReading('transcript_view', detail);
    return isAtWork ? { ...reading, state: 'working', cause: 'none' } : reading;
  }
  const dialog = readDialog(rows);
  if (dialog !== null) return dialogReading(rows, dialog);
  const activity = readActivity(rows, rows.length, longest(rows));
  if (activity !== null) return { ...activity, untilText: null, box: 'none' };
  const drawn = rows.filter((row) => row !== '');
  const starting = drawn.length === 0 || (drawn.length < 6 && drawn.some((row) => LOGO.test(row)));
  return starting ? { ...NOTHING_READ, state: 'starting', cause: 'none' } : NOTHING_READ;
}

function viewReading(cause: ClientView, detail: string | null): ScreenReading {
  return { state: 'waiting', cause, detail, untilText: null, box: 'none' };
}

/** The choice what to do about a limit is a dialog: it waits for a person, and shows the end. */
function dialogReading(
  rows: readonly string[],
  { cause, detail }: NonNullable<ReturnType<typeof readDialog>>,
): ScreenReading {
  const reading: ScreenReading = { state: 'waiting', cause, detail, untilText: null, box: 'none' };
  if (cause !== 'dialog' || detail === null || !/\blimit\b/i.test(detail)) return reading;
  const line = rows.findLast((row) => /^ {1,4}⎿ /.test(row) && readLimitLine(row) !== null);
  if (line === undefined) return reading;
  return { ...reading, detail: line.trim(), untilText: readLimitLine(line)?.untilText ?? null };
}

function longest(rows: readonly string[]): number {
  return rows.reduce((length, row) => Math.max(length, row.length), 0);
}
