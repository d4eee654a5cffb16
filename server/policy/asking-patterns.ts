/**
 * The closed set of questions that may be answered without a person: whether to continue. Any other
 * question, however it ends, is not read.
 */

export type AskingKind = 'continuation' | 'yes_no' | 'proceed';

/** The question on the screen of a stalled agent. */
export interface StallPrompt {
  kind: AskingKind;
  /**
   * The lines that ask, without the client's own marks, preceded by lines of the same message that
   * mention something hard to undo; at most 5.
   */
  lines: string[];
  where: 'agent_prose' | 'line';
}

/** Longer ones contain more than whether to continue. */
const MAX_LENGTH = 400;

const MARK = String.raw`[([]y(?:es)?\s?/\s?n(?:o)?[)\]]`;
const MARKED_QUESTION = new RegExp(String.raw`\?\s?${MARK}[?:.]?$|\s${MARK}\s?\?$`, 'i');
const MARKED_LINE = new RegExp(String.raw`\s${MARK}\s?[?:>]?$`, 'i');

const CONTINUE = '(?:continue|proceed|go ahead|go on|carry on|keep going|move on|resume)';
/** `Step 2 is done, shall I continue?`: a clause before it, without a quotation in it. */
const CLAUSE = '(?:[^?"“”`:]{1,120}(?:,|;| [–—-]) )?';
const PROCEED = new RegExp(
  `^${CLAUSE}(?:(?:shall|should|may|can|could) (?:I|we)|(?:do you want|would you like|want)` +
    `(?: me| us)? to|is it (?:ok|okay|fine|all right) (?:if I|for me to|to)|(?:ok|okay) to)` +
    ` (?:now |just |please )?${CONTINUE}(?: [^?]{1,200})?\\?$`,
  'i',
);
const BARE_PROCEED = /^proceed(?: (?:with|to) [^?]{1,200})?\?$/i;
const CONTINUATION = /^(?:ready to )?(?:continue|keep going)(?: (?:with|to|on) [^?]{1,200})?\?$/i;

const KEY = String.raw`[[<(]?(?:enter|return|any key)[\])>]?`;
const STOP_KEY = String.raw`(?:ctrl|control|\^|esc)[-+ ]?\w{0,7}`;
const PRESS_ENTER = new RegExp(
  String.raw`^\W{0,3}(?:(?:please )?(?:press|hit) ${KEY}(?: to (?:continue|proceed|go on))?|${KEY} to continue)` +
    String.raw`(?:,? or (?:press )?${STOP_KEY} to (?:cancel|abort|stop|quit|exit))?\W{0,8}$`,
  'i',
);

/** For the last sentence of an agent's message. */
export function readQuestion(sentence: string): AskingKind | null {
  if (sentence.length > MAX_LENGTH) return null;
  if (MARKED_QUESTION.test(sentence)) return /^\p{Lu}\p{Ll}*\b/u.test(sentence) ? 'yes_no' : null;
  if (PROCEED.test(sentence) || BARE_PROCEED.test(sentence)) return 'proceed';
  return CONTINUATION.test(sentence) ? 'continuation' : null;
}

/** For the line where a program waits for input. */
export function readLine(line: string): Exclude<AskingKind, 'proceed'> | null {
  if (line.length > MAX_LENGTH) return null;
  if (PRESS_ENTER.test(line)) return 'continuation';
  return MARKED_LINE.test(line) && /^(?:\? )?[\p{L}\p{N}]/u.test(line) ? 'yes_no' : null;
}
