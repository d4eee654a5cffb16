/** The little that is read from screens of Codex and Gemini: at its prompt, working, or asking. */
import { errorCause, readLimitLine } from '../failure-patterns.ts';
import { isSuggested } from './find-prompt-box.ts';
import type { PlainScreen } from './screen-rows.ts';
import { isMarked, joinedText, lastMarked } from './screen-rows.ts';
import { NOTHING_READ, type ScreenReading } from './screen-reading.ts';

/** Codex: a mark in column 0, no edges, and only indented rows under it. */
const CODEX_PROMPT = /^›(?: |$)/;
const NUMBERED = /^› \d{1,2}\. /;
/** Gemini: a mark one column in, below a rule or a bar. */
const GEMINI_PROMPT = /^ [>!*] {1,3}\S/;
/** `(3s • esc to interrupt)`, perhaps cut off by the edge. */
const COUNTING = /\((?:\d+h ?)?(?:\d+m ?)?\d+s(?: •|\)|$)/;
const AT_WORK = /\(.{0,60}\besc to (?:interrupt|cancel)\b/i;

/** For readable rows; null when this is no screen of Codex. */
export function readCodexScreen(
  rows: readonly string[],
  cursor: PlainScreen['cursor'],
  faint: readonly string[] | null,
): ScreenReading | null {
  const prompt = lastMarked(rows, rows.length);
  const row = rows[prompt] ?? '';
  if (prompt === -1 || !CODEX_PROMPT.test(row) || NUMBERED.test(row)) return null;
  const text = row.slice(2);
  const line = { prompt, bottom: prompt + 1, column: 2, text };
  const suggests = faint === null || isSuggested(line, faint);
  const atText = cursor !== null && cursor[0] >= prompt;
  const typed = atText && (cursor[1] > 2 || (text !== '' && !suggests));
  const box = typed ? 'draft' : 'empty';
  const ready: ScreenReading = {
    ...NOTHING_READ,
    state: 'ready',
    cause: typed ? 'draft' : 'none',
    box,
  };
  const last = rows[lastMarked(rows, prompt)] ?? '';
  const detail = joinedText([last.slice(2)]);
  if (last.startsWith('■ ')) {
    const limit = readLimitLine(last);
    if (limit !== null) return { ...ready, state: 'limited', ...limit, detail };
    if (/\binterrupted\b/.test(last))
      return { ...ready, state: 'interrupted', cause: 'none', detail };
    return { ...ready, state: 'errored', cause: errorCause(last), detail };
  }
  const ended = rows
    .slice(0, prompt)
    .findLast((above) => above !== '')
    ?.startsWith('  Worked for');
  if (ended === true || !/^[•◦⠀-⣿] /.test(last) || !COUNTING.test(last)) return ready;
  if (/\breconnecting\b|\bretrying\b|\bbusy\b/i.test(last)) {
    return {
      ...ready,
      state: 'retrying',
      cause: errorCause(rows.slice(0, prompt).join(' ').slice(-400)),
      detail,
    };
  }
  return { ...ready, state: 'working', cause: 'none', detail };
}

/** For readable rows; null when this is no screen of Gemini. */
export function readGeminiScreen(
  rows: readonly string[],
  cursor: PlainScreen['cursor'],
): ScreenReading | null {
  const prompt = rows.findLastIndex((row) => GEMINI_PROMPT.test(row));
  // An earlier prompt has the same mark, but is higher up.
  const edge = rows.slice(Math.max(0, prompt - 4), prompt).some((row) => /^ ?[─▀▄━╭]{3}/.test(row));
  if (
    prompt === -1 ||
    !edge ||
    rows.slice(prompt + 1).some((row) => isMarked(row) && !/^[─▀▄╰]/.test(row))
  )
    return null;
  const typed = cursor !== null && cursor[0] === prompt && cursor[1] > 5;
  const ready: ScreenReading = {
    ...NOTHING_READ,
    state: 'ready',
    cause: typed ? 'draft' : 'none',
    box: typed ? 'draft' : 'empty',
  };
  const above = rows.slice(Math.max(0, prompt - 8), prompt);
  const busy = above.find(
    (row) => /^ ?[⠀-⣿] /.test(row) && (AT_WORK.test(row) || /…|\.\.\./.test(row)),
  );
  return busy === undefined
    ? ready
    : { ...ready, state: 'working', cause: 'none', detail: joinedText([busy]) };
}
