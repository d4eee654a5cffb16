/**
 * Whether work shows: an activity word, a spinner or an activity row at the left edge of a row. The
 * window behind what is new only completes signs that were cut: one that was read is not read again.
 */
import { isTurnEnd } from '../../agents/screen/activity-row.ts';
import { type Found, rowsFrom } from './drawn-rows.ts';

/** Characters, as published. */
const WINDOW = 300;

/** As published: the 19 documented words, and eight that the code has besides. */
const WORDS =
  'Thinking|Writing|Reading|Running|Searching|Editing|Creating|Deleting|Analyzing|Executing|' +
  'Synthesizing|Compiling|Building|Processing|Loading|Generating|Testing|Checking|Validating|' +
  'Brewing|Installing|Fetching|Downloading|Starting|Updating|Formatting|Linting';

/** Braille dots, quarter circles and Braille blocks. The stars also open the end of a turn. */
const SPINNER = /^ ?[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏◐◓◑◒⣾⣽⣻⢿⡿⣟⣯⣷]/u;
const WORD = new RegExp(String.raw`^ ?(?:[·✢✳*✶✻✽✺✹•] )?(?:${WORDS})(?!\w)`, 'u');
const ACTIVITY =
  /^[·✢✳*✶✻✽✺✹•] (?:\S[^…]{0,200}…|Waiting for (?:\d|(?:API )?response)|.{0,200}\bretrying in \d)/iu;
const INTERRUPTIBLE = /^ ?\S.{0,300}\besc to interrupt\b/u;
const SIGNS = [SPINNER, WORD, ACTIVITY, INTERRUPTIBLE];

/** The last sign of work that ends behind `newFrom`. */
export function findWork(text: string, newFrom: number): Found | null {
  let last: Found | null = null;
  for (const { text: row, at } of rowsFrom(text, Math.max(0, newFrom - WINDOW))) {
    if (isTurnEnd(row)) continue;
    for (const sign of SIGNS) {
      const end = at + (sign.exec(row)?.[0].length ?? -1);
      if (end > newFrom && end >= at) last = { line: row.trim(), end };
    }
  }
  return last;
}
