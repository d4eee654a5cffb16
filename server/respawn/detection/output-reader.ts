/** What the output of a terminal shows, read piece by piece. Weaker than what the client itself reports. */
import { readPlanMenu } from './plan-menu.ts';
import { TerminalText } from './terminal-text.ts';
import { findWork } from './working-window.ts';
import { isTurnEnd } from '../../agents/screen/activity-row.ts';
import { type Found, rowsFrom } from './drawn-rows.ts';

/** More new characters than this are text; fewer, or text drawn again, are a redraw. As published. */
const SUBSTANTIAL = 2;

const PROMPT = /(?:^|\n) ?[❯⏵](?! ?\d)/u;

export interface OutputSigns {
  /** New text, not only a redraw. */
  isSubstantial: boolean;
  /** The row that shows work, and the line that ends a turn: only the one that came last. */
  work: string | null;
  completion: string | null;
  /** The client drew its prompt. */
  isPrompt: boolean;
  tokens: number | null;
  /** The menu at the end of the output, which may be a plan's. */
  menu: string[] | null;
}

/** Nothing was drawn. */
export const NO_SIGNS: OutputSigns = {
  isSubstantial: false,
  work: null,
  completion: null,
  isPrompt: false,
  tokens: null,
  menu: null,
};

/** A number and its unit, as often as they come. */
const DURATION = String.raw`\d{1,9}(?:\.\d{1,3})?(?:ms|[hmsd])(?: \d{1,9}(?:ms|[hms]))*`;
const MARKED = new RegExp(String.raw`^\S \S+ for ${DURATION}`);
/** One client indents it, or draws a line in front. */
const PLAIN = new RegExp(String.raw`^(?: {0,2}|[─━]{1,3} )Worked for ${DURATION}(?![\w.])`);

/** A count may begin before what is new; none is longer. */
const OVERLAP = 40;
/** Not behind a letter or a point: `v1.5k tokens` and `1.2.3 tokens` are no counts. */
const TOKENS = /(?<![\w.,])(\d{1,3}(?:,\d{3}){1,3}|\d{1,9})(\.\d{1,3})? ?([kKmM])? tokens?\b/g;
const FACTOR: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

export class OutputReader {
  readonly #text = new TerminalText();

  /** Cheap: nothing is read before `read`. */
  push(bytes: Uint8Array): void {
    this.#text.push(bytes);
  }

  /** What was drawn since the last reading. */
  read(): OutputSigns {
    const { text, newFrom, fresh } = this.#text.read();
    const work = findWork(text, newFrom);
    const completion = findCompletion(text, newFrom);
    const isDone = (completion?.end ?? -1) > (work?.end ?? -1);
    return {
      isSubstantial: fresh > SUBSTANTIAL,
      work: isDone ? null : (work?.line ?? null),
      completion: isDone ? (completion?.line ?? null) : null,
      isPrompt: PROMPT.test(text.slice(Math.max(0, newFrom - 2))),
      tokens: readTokens(text, newFrom),
      menu: readPlanMenu(text),
    };
  }
}

/**
 * The last line behind `newFrom` with which a client ended a turn: `✻ Cooked for 1m 7s`, with any
 * verb behind a mark at the left edge, or a row of its own that begins with `Worked for`. Prose that
 * says so is neither.
 */
function findCompletion(text: string, newFrom: number): Found | null {
  let last: Found | null = null;
  for (const { text: row, at } of rowsFrom(text, newFrom)) {
    const line = (isTurnEnd(row) ? MARKED : PLAIN).exec(row)?.[0];
    if (line === undefined || at + line.length <= newFrom) continue;
    last = { line: line.trim(), end: at + line.length };
  }
  return last;
}

/**
 * The last count of tokens (`↓ 34 tokens`, `12.5k tokens`, `1.2M tokens`) that ends in what is new;
 * null without one.
 */
function readTokens(text: string, newFrom: number): number | null {
  const start = Math.max(0, newFrom - OVERLAP);
  const [, whole, part = '', unit = ''] =
    [...text.slice(start).matchAll(TOKENS)].findLast(
      ({ 0: found, index }) => start + index + found.length > newFrom,
    ) ?? [];
  if (whole === undefined) return null;
  const count = Number(whole.replaceAll(',', '') + part);
  return Math.round(count * (FACTOR[unit.toLowerCase()] ?? 1));
}
