/**
 * A snapshot of a screen in which nothing moves but the work: what a client redraws by the clock is
 * removed, so that two snapshots of a hung agent are equal. Only rows drawn by the client itself
 * are touched; a number inside output is progress.
 */
import { boxContent, findPromptBox, type PromptBox } from '../../agents/screen/find-prompt-box.ts';
import { lastMarked, readableRows } from '../../agents/screen/screen-rows.ts';

/** The moving glyphs of the clients; in column 0, or one blank in for Gemini. */
const SPINNER = /^ ?[·✢✳*✶✻✽✺✹⠀-⣿◐◓◑◒◴◷◶◵] (?=\S)/;
/** Also marks ordinary lines: only together with a time. */
const ANY_GLYPH = /^ ?[·•◦∙✢✳*✶✻✽✺✹⠀-⣿◐◓◑◒◴◷◶◵|/\\-] (?=\S)/;
const ELAPSED = /\((?:[^()]{0,80}[ ,])?(?:\d+h ?)?(?:\d+m ?)?\d+(?:\.\d+)?s(?=[ ,)•·]|$)/;
/** `Sautéed for 3s`: does not move. */
const TURN_END = /^\p{Lu}\S* for \d/u;
/** The dot of a running tool blinks; without it the call is shown indented. */
const UNDOTTED = /^ {2}(?=\p{Lu}[\w:.-]*\(.)/u;
const DOT = /^[⏺○•]/;
/** `Running a stub command · 2s`, `⎿  Running… (12s)`, `(1m 2s · timeout 2m)`. */
const RUNNING = /^ {2,6}(?:⎿ {1,3})?(?:Running|Waiting|Executing)\b|^ {2,6}[├└]|^ {2,8}\(\d/;
const TIP = /^ {1,6}⎿ {1,3}Tip:/;
/** A row that belongs to the one above it; rows under a spinner begin with a sign. */
const CONTINUED_ROW = /^ {1,6}[^\s⎿└├☐☒☑✔✓✗◻◼□■●○◯◐▰▱]/;
const HINT = /\b(?:esc|ctrl\S*|shift\S*) to [a-z]+(?: [a-z]+)?/gi;
/** One block at the end of a row; several are a growing bar. */
const CURSOR = /(?<![▀-▟▮▯] *) ?[█▉▊▋▌▮▯]$/;

const DURATION = /(?<![\w.])(?:\d+d ?)?(?:\d+h ?)?(?:\d+m ?)?\d+(?:\.\d+)?(?:ms|[smhd])(?![\w.])/g;
const CLOCK = /(?<![\w:])\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?(?![\w:])/gi;
const OPEN = /\( *(?:[·•∙,|] *)*/g;
const CLOSE = /(?: *[·•∙,|])* *\)/g;

/** One cut may bring the next two signs together; more rounds than this are hostile. */
const ROUNDS = 8;

/**
 * A text that stays equal while only glyphs, verbs, times, clocks, countdowns, dots, tips and
 * cursors change. Idempotent. Linear.
 */
export function normalizedScreen(rows: readonly string[]): string {
  const read = readableRows(rows);
  const box = findPromptBox(read);
  const normalized = box === null ? read.map(normalizedUnknown) : normalizedClient(read, box);
  return withoutGaps(readableRows(normalized)).join('\n');
}

function normalizedClient(rows: readonly string[], box: PromptBox): string[] {
  const spinner = spinnerAbove(rows, box.top);
  const running = lastMarked(rows, spinner ?? box.top);
  const above = rows
    .slice(0, spinner ?? box.top)
    .map((row, index) => normalizedMessage(row, spinner !== null && index > running));
  const active = spinner === null ? [] : normalizedActivity(rows.slice(spinner, box.top));
  const empty = boxContent({ ...box, text: box.text.replace(CURSOR, '') }, null) === 'empty';
  const inside = rows.slice(box.top, box.bottom + 1).map((row, index) => {
    const drawn = row.replace(CURSOR, '');
    return empty && index === 1 ? drawn.slice(0, box.column).trimEnd() : drawn;
  });
  const below = rows.slice(box.bottom + 1).map((row) => withoutClocks(withoutTimes(row)));
  return [...above, ...active, ...inside, ...below];
}

/**
 * The row with the client's current activity, or null: the last row it drew itself, unless that is
 * a turn's end.
 */
function spinnerAbove(rows: readonly string[], end: number): number | null {
  let index = lastMarked(rows, end);
  // Older clients show queued prompts below it.
  while (index > 0 && /^> \S/.test(rows[index] ?? '')) index = lastMarked(rows, index);
  const row = rows[index] ?? '';
  if (!SPINNER.test(row) || TURN_END.test(row.replace(SPINNER, ''))) return null;
  return index;
}

function normalizedMessage(row: string, mayRun: boolean): string {
  const dotted = row.replace(DOT, '●').replace(UNDOTTED, '● ');
  return mayRun && RUNNING.test(dotted) ? withoutTimes(dotted).replace(/[.…]+$/, '') : dotted;
}

/** The spinner, its text without verb and time, and the rows under it without the tip. */
function normalizedActivity(rows: readonly string[]): string[] {
  // A narrow screen wraps it.
  const end = rows.findIndex((row, index) => index > 0 && !CONTINUED_ROW.test(row));
  const spinner = rows.slice(0, end === -1 ? rows.length : end);
  const normalized = [
    normalizedSpinner(spinner.map((row, index) => (index > 0 ? row.trim() : row)).join(' ')),
  ];
  let tip = false;
  for (const row of rows.slice(spinner.length)) {
    tip = TIP.test(row) || (tip && CONTINUED_ROW.test(row));
    if (!tip) normalized.push(RUNNING.test(row) ? withoutTimes(row) : row);
  }
  return normalized;
}

function normalizedSpinner(row: string): string {
  const text = row.replace(SPINNER, '');
  // The verb ends in dots; the text behind them is about the work.
  const rest = text.replace(/^[^…]{0,120}(?:…|\.{3})/, '');
  return `✻ … ${withoutTimes(rest.replaceAll(HINT, ' ').trim())}`.trimEnd();
}

/** For an unknown client: removes only the moving glyph, with the seconds next to it. */
function normalizedUnknown(row: string): string {
  const still = row.replace(CURSOR, '');
  if (!ANY_GLYPH.test(still) || !ELAPSED.test(still)) return still;
  return `✻ ${withoutTimes(still.replace(ANY_GLYPH, '').trim())}`.trimEnd();
}

/** Rows that come and go leave blank rows behind: several count as one. */
function withoutGaps(rows: readonly string[]): string[] {
  const kept = rows.filter((row, index) => row !== '' || (rows[index - 1] ?? '') !== '');
  return kept.at(-1) === '' ? kept.slice(0, -1) : kept;
}

/**
 * Removes durations (`12s`, `1h 2m`, `in 3.5s`) and the signs that separated them from the rest,
 * also brackets around nothing else.
 */
function withoutTimes(row: string): string {
  const indent = /^ */.exec(row)?.[0] ?? '';
  let text = row.slice(indent.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    const shorter = cutOnce(text);
    if (shorter === text) break;
    text = shorter;
  }
  return text === '' ? '' : indent + text;
}

function cutOnce(text: string): string {
  return text
    .replaceAll(DURATION, '')
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(OPEN, '(')
    .replaceAll(CLOSE, ')')
    .replaceAll('()', '')
    .replaceAll(/(?: ?[·•∙,|]){2,}/g, ' ·')
    .replace(/^ ?[·•∙,|] /, '')
    .replace(/(?: ?[·•∙,|])+ ?$/, '')
    .trim();
}

/** Replaces every time of day by the same one. */
function withoutClocks(row: string): string {
  return row.replaceAll(CLOCK, '0:00');
}
