/**
 * Whether the last lines of a reply claim that the task is done. No proof, only the agent's word.
 * Pure.
 */
import { isAffirmed } from '../../policy/reply/reported-state.ts';
import { ownText, plainOf, sentencesOf, type MaskedText } from '../../policy/reply/own-text.ts';

/** Lines with words in them: text further up is not how the reply ends. */
const LAST_LINES = 5;

const DONE =
  /(?<![\w-])(?:implementation is (?:now )?completed?|task is (?:now )?completed?|finished implementing|implementation (?:is )?done|completed the task|all done|implementation summary|successfully implemented)\b(?! (?:the )?(?:first|second|third|next|initial|part|step|phase)\b)/i;
/** `the first task is complete`: a part of it. */
const PART = /\b(?:first|second|third|last|next|previous|sub|one|each|every|another|your)[ -]?$/i;
/** Withdraws the claim, or continues. */
const CONTINUES =
  /\b(?:however|not yet|todo|still|next,? (?:step|I|up)|(?:remaining|missing|left) (?:to do|work|steps?|parts?|tests?)|(?:now )?(?:I'll|I will|I'm going to|I am going to|let me) (?!know|be (?:here|happy)|wait)|but (?:the|there|it|some|one|two|I))\b|\b(?:[1-9]\d*|some|several) (?:\w+ )?(?:tests? |checks? )?(?:fail\w*|errors?)\b/i;
const FENCE = /^\s*(?:```|~~~)/;
const QUOTED = /^\s*(?:>|\|)/;

/**
 * The line among the last five of a reply that claims, plainly and in the agent's own words, that
 * the task is done. Null when nothing does, or later text withdraws it.
 */
export function completionClaim(reply: string): string | null {
  const lines = ownLines(reply).slice(-LAST_LINES);
  let claim: string | null = null;
  for (const line of lines) {
    for (const sentence of sentencesOf(
      ownText(line.replace(/^\s*(?:#{1,6}|[-*•]|\d+[.)])\s+/, '')),
    )) {
      if (claims(sentence)) claim = line.trim();
      else if (CONTINUES.test(plainOf(sentence))) claim = null;
    }
  }
  return claim;
}

function claims(sentence: MaskedText): boolean {
  const plain = plainOf(sentence);
  const found = DONE.exec(plain);
  if (found === null || PART.test(plain.slice(0, found.index))) return false;
  return isAffirmed(sentence, DONE);
}

/** Without code blocks, quotations, tables and blank lines. */
function ownLines(text: string): string[] {
  let inFence = false;
  return text.split(/\r?\n/).filter((line) => {
    if (FENCE.test(line)) inFence = !inFence;
    else return !inFence && line.trim() !== '' && !QUOTED.test(line);
    return false;
  });
}
