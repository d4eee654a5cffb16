/** The question at the end of an agent's last message, above its own empty prompt box. */
import { isTurnEnd } from '../../agents/screen/activity-row.ts';
import { boxContent, type PromptBox } from '../../agents/screen/find-prompt-box.ts';
import { lastMarked, type PlainScreen } from '../../agents/screen/screen-rows.ts';
import { readQuestion, type StallPrompt } from '../asking-patterns.ts';
import { riskOfLines, type Risk } from '../deny-list.ts';

const SAID = /^[●⏺] /;
const TOOL_CALL = /^[●⏺] [\w:.-]+(?: - [\w-]+ \(MCP\))?\(/;
const CORNER = /^ {1,4}⎿/;
const FENCE = /^\s*(?:```|~~~)/;
/**
 * Prose continues at the indent of its message; lists, tables, quotations and code do not start
 * like this.
 */
const PROSE = /^ {2}(?!\d{1,3}[.)] )[\p{L}\p{N}"“'‘(`]/u;
/** Introduces a quotation. */
const REPORTS =
  /\b(?:ask(?:s|ed|ing)|print(?:s|ed|ing)|prompt(?:s|ed|ing)|say(?:s|ing)|said|reads|display(?:s|ed|ing)|echo(?:es|ed|ing)|writes|wrote|quot(?:es|ed|ing)|outputs|answer(?:s|ed)|repli(?:es|ed))\b/i;
const AS_YOU_SAID = /\byou(?:'ve|’ve| have)? (?:asked|said|wrote)\b/gi;

/** Shown lines. */
const MAX_LINES = 5;
/** A wrapped word or phrase spans at most this many rows. */
const WINDOW = 3;

/** `rows` are readable and contain the box. Null when nothing is asked. */
export function agentQuestion(
  rows: readonly string[],
  box: PromptBox,
  cursor: PlainScreen['cursor'],
): StallPrompt | null {
  if (!isEmpty(box, cursor)) return null;
  const message = lastMessage(rows, box);
  if (message === null || TOOL_CALL.test(message[0] ?? '')) return null;
  if (message.some((row) => CORNER.test(row) || FENCE.test(row))) return null;
  const start = message.findLastIndex((row) => row === '') + 1;
  const paragraph = message.slice(start);
  if (!paragraph.every((row, index) => (start + index === 0 ? SAID : PROSE).test(row))) return null;
  const texts = paragraph.map(textOf);
  const before = message.slice(0, start).findLast((row) => row !== '') ?? '';
  const text = texts.join(' ');
  const sentence = lastSentence(text);
  const lead = text.slice(0, text.length - sentence.length);
  if (isQuoted(textOf(before), lead, sentence)) return null;
  const kind = readQuestion(sentence);
  if (kind === null) return null;
  const all = message.filter((row) => row !== '').map(textOf);
  return { kind, lines: linesToShow(all, rowsOf(sentence, texts)), where: 'agent_prose' };
}

/**
 * At most five rows of a message, trimmed and in their order: those with the gravest risk, and the
 * last that ask. `asking`: how many rows at the end ask.
 */
export function linesToShow(rows: readonly string[], asking: number): string[] {
  const risky = riskyRows(rows);
  const last = rows.length - 1;
  const chosen = new Set([...risky, last]);
  for (
    let index = last;
    index > last - asking && index >= 0 && chosen.size < MAX_LINES;
    index -= 1
  ) {
    chosen.add(index);
  }
  return [...chosen].sort((a, b) => a - b).map((index) => (rows[index] ?? '').trim());
}

/**
 * A suggestion whose text is unknown may as well be a person's draft, with the cursor before it.
 */
function isEmpty(box: PromptBox, cursor: PlainScreen['cursor']): boolean {
  if (boxContent(box, null) !== 'empty' || boxContent(box, cursor) !== 'empty') return false;
  if (cursor === null || cursor[0] < box.prompt || cursor[0] >= box.bottom) return true;
  return cursor[0] === box.prompt && cursor[1] <= box.column;
}

/** The rows of the last message, when only the end of its turn follows. */
function lastMessage(rows: readonly string[], box: PromptBox): string[] | null {
  const last = lastMarked(rows, box.top);
  const ended = last !== -1 && isTurnEnd(rows[last] ?? '');
  if (ended && rows.slice(last + 1, box.top).some((row) => row !== '' && !isNote(row, box))) {
    return null;
  }
  const start = ended ? lastMarked(rows, last) : last;
  if (start === -1 || !SAID.test(rows[start] ?? '')) return null;
  const block = rows.slice(start, ended ? last : box.top);
  const end = block.findLastIndex((row) => row !== '' && (ended || !isNote(row, box)));
  return block.slice(0, end + 1);
}

/** The client's own note at the right edge, above the box. */
function isNote(row: string, box: PromptBox): boolean {
  return /^ {12}/.test(row) && row.length >= box.columns - 4;
}

function textOf(row: string): string {
  return row.replace(SAID, '').trim();
}

function lastSentence(text: string): string {
  const starts = [...text.matchAll(/[.!?…]["”')]? (?=[\p{Lu}\p{So}])/gu)];
  const start = starts.at(-1);
  const sentence = start === undefined ? text : text.slice(start.index + start[0].length);
  return sentence.replace(/^[\p{So}\ufe0f\s]+/u, '');
}

/** After a colon, within quotation marks, or after a word that introduces a quotation. */
function isQuoted(before: string, lead: string, sentence: string): boolean {
  if (/[:：]$/.test(before)) return true;
  if (/["“”]/.test(sentence) || isOdd(sentence, '`') || isOdd(lead, '"') || isOdd(lead, '`')) {
    return true;
  }
  if (lead.lastIndexOf('“') > lead.lastIndexOf('”')) return true;
  const context = `${before} ${lead} ${sentence}`.replaceAll(AS_YOU_SAID, ' ');
  return REPORTS.test(context);
}

function isOdd(text: string, mark: string): boolean {
  return text.split(mark).length % 2 === 0;
}

/** How many rows at the end hold the sentence. */
function rowsOf(sentence: string, texts: readonly string[]): number {
  let length = 0;
  let rows = 0;
  for (let index = texts.length - 1; index >= 0 && length < sentence.length; index -= 1) {
    length += (texts[index] ?? '').length + 1;
    rows += 1;
  }
  return rows;
}

/** The fewest consecutive rows with the gravest risk; the newest of them. */
function riskyRows(rows: readonly string[]): number[] {
  const found = new Map<Risk, number[]>();
  for (let size = 1; size <= WINDOW; size += 1) {
    for (let start = rows.length - size; start >= 0; start -= 1) {
      const risk = riskOfLines(rows.slice(start, start + size));
      if (risk === null || found.has(risk)) continue;
      found.set(
        risk,
        Array.from({ length: size }, (_, index) => start + index),
      );
    }
  }
  return found.get('denied') ?? found.get('doubtful') ?? [];
}
