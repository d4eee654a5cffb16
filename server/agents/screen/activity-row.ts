/**
 * The row in which a client shows its activity: a moving glyph in column 0, then text. The end of a
 * turn is shown in the same place, so the last marked row above the box counts.
 */
import type { AgentCause, AgentStateName } from '../../../shared/schema/agents/agent-state.ts';
import { errorCause } from '../failure-patterns.ts';
import { blockEnd, isMarked, lastMarked } from './screen-rows.ts';

export interface Activity {
  state: Extract<AgentStateName, 'working' | 'retrying' | 'compacting'>;
  cause: AgentCause;
  detail: string;
}

const GLYPH = /^[·✢✳*✶✻✽✺✹] (?=\S)/;
/** `Cooked for 1m 7s`: any verb, since there are many and they change. */
const TURN_END = /^\p{Lu}\S* for \d+(?:\.\d+)?(?:ms|[smhd])\b/u;
const BACKGROUND_AGENT = /^Waiting for \d+ |\b\d+ (?:\w+ )?(?:sub)?agents? still running/i;
const RETRY = /\bretrying\b|\bRetrying in \d/i;
const HUNG = /^Waiting for (?:API )?response|\bwill retry in\b/i;
/** A notice that something is over, in the place of a spinner. */
const NOTICE = /^(?:Conversation compacted|Welcome|Compacted)/;
/** Below a spinner: a tip, a tool's output, the list of tasks, or a note at the right edge. */
const UNDER_SPINNER = /^ {1,6}[⎿└├☐☒☑✔✓✗◻◼□■●○◯◐▰▱]|^ {12}/;
/** Without a first token for this long the answer is late; measured: `(40s)` and nothing else. */
const LATE_SECONDS = 30;

/** True when the text after the glyph is the end of a turn. */
export function isTurnEnd(row: string): boolean {
  return GLYPH.test(row) && TURN_END.test(row.slice(2)) && !BACKGROUND_AGENT.test(row.slice(2));
}

/**
 * What the client is doing, or null. Expects readable rows, the start of the box and its width.
 * Older clients write queued prompts between the two.
 */
export function readActivity(
  rows: readonly string[],
  end: number,
  columns: number,
): Activity | null {
  let index = lastMarked(rows, end);
  while (index > 0 && isQueued(rows, index, end)) index = lastMarked(rows, index);
  const row = rows[index] ?? '';
  if (!GLYPH.test(row)) return index === -1 ? null : olderRetry(rows, index, end);
  const stop = blockEnd(rows, index, end);
  const under = rows.slice(index + 1, stop).findIndex((below) => UNDER_SPINNER.test(below));
  const wrapped =
    under === -1 ? rows.slice(index + 1, stop) : rows.slice(index + 1, index + 1 + under);
  if (wrapped.length > 0 && !isWrap(row, wrapped[0] ?? '', columns)) return null;
  const text = [row.slice(2), ...wrapped.map((part) => part.trim())].join(' ');
  if (isTurnEnd(row) || NOTICE.test(text)) return null;
  const activity = activityOf(text, row.length >= columns);
  if (activity === null) return null;
  if (activity.state === 'compacting') return activity;
  return olderRetry(rows, lastMarked(rows, index), index) ?? activity;
}

function isQueued(rows: readonly string[], index: number, end: number): boolean {
  const under = rows.slice(index + 1, blockEnd(rows, index, end));
  return /^> \S/.test(rows[index] ?? '') && !under.some((row) => UNDER_SPINNER.test(row));
}

function activityOf(text: string, cut: boolean): Activity | null {
  const detail = text.slice(0, 300);
  if (HUNG.test(text)) return { state: 'working', cause: 'hung_stream', detail };
  if (BACKGROUND_AGENT.test(text)) return { state: 'working', cause: 'subagent', detail };
  if (RETRY.test(text)) return { state: 'retrying', cause: errorCause(text), detail };
  // Text that fills its row may have lost its final dots.
  if (!text.includes('…') && !cut) return null;
  if (/^Compacting\b/.test(text)) return { state: 'compacting', cause: 'none', detail };
  return { state: 'working', cause: workCause(text), detail };
}

function workCause(text: string): AgentCause {
  const numbers = /\(([^()]{1,120})/.exec(text)?.[1] ?? '';
  if (/\bthinking\b|\bthought\b/i.test(numbers)) return 'thinking';
  if (/\btokens?\b|\bhook\b/.test(numbers)) return 'none';
  const elapsed = /^(?:(\d+)h ?)?(?:(\d+)m ?)?(?:(\d+)s)/.exec(numbers);
  if (elapsed === null) return 'none';
  const [hours, minutes, seconds] = elapsed.slice(1).map((part) => Number(part || 0));
  const total = (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
  return total >= LATE_SECONDS ? 'no_response' : 'none';
}

/** 1.0 and 2.0 write the retry under the prompt, with or without a spinner of its own below. */
function olderRetry(rows: readonly string[], prompt: number, end: number): Activity | null {
  if (prompt === -1 || !/^[❯>] /.test(rows[prompt] ?? '')) return null;
  const block = rows.slice(prompt + 1, blockEnd(rows, prompt, end)).map((row) => row.trim());
  // Narrow screens wrap it.
  const retry = /\bRetrying in \d.*\battempt \d.*/.exec(block.join(' '))?.[0];
  const failure = block.find((row) => row.startsWith('⎿'));
  if (retry === undefined || failure === undefined) return null;
  return { state: 'retrying', cause: errorCause(failure), detail: retry.slice(0, 300) };
}

/** A row continues in the next one only when the next row's first word did not fit. */
function isWrap(row: string, next: string, columns: number): boolean {
  const word = /\S+/.exec(next)?.[0] ?? '';
  return !isMarked(next) && row.length + 1 + word.length > columns - 4;
}
