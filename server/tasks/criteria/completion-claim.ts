/** Whether an agent says with its last lines that its task is done. No proof, only its word. Pure. */
import { isAffirmed } from '../../policy/reply/reported-state.ts';
import { ownText, plainOf, sentencesOf, type Words } from '../../policy/reply/own-text.ts';

/** Lines with words in them: what is said further up is not how it ends. */
const LAST_LINES = 5;

const DONE =
  /(?<![\w-])(?:implementation is (?:now )?completed?|task is (?:now )?completed?|finished implementing|implementation (?:is )?done|completed the task|all done|implementation summary|successfully implemented)\b(?! (?:the )?(?:first|second|third|next|initial|part|step|phase)\b)/i;
/** `the first task is complete`: a part of it. */
const PART = /\b(?:first|second|third|last|next|previous|sub|one|each|every|another|your)[ -]?$/i;
/** Takes it back, or goes on. */
const GOES_ON =
  /\b(?:however|not yet|todo|still|next,? (?:step|I|up)|(?:remaining|missing|left) (?:to do|work|steps?|parts?|tests?)|(?:now )?(?:I'll|I will|I'm going to|I am going to|let me) (?!know|be (?:here|happy)|wait)|but (?:the|there|it|some|one|two|I))\b|\b(?:[1-9]\d*|some|several) (?:\w+ )?(?:tests? |checks? )?(?:fail\w*|errors?)\b/i;
const FENCE = /^\s*(?:```|~~~)/;
const QUOTED = /^\s*(?:>|\|)/;

/**
 * Takes what an agent said; gives the line among its last five that claims, plainly and in its own
 * words, that the task is done, or null. Nothing after it may take it back.
 */
export function completionClaim(reply: string): string | null {
  const lines = ownLines(reply).slice(-LAST_LINES);
  let claim: string | null = null;
  for (const line of lines) {
    for (const sentence of sentencesOf(
      ownText(line.replace(/^\s*(?:#{1,6}|[-*•]|\d+[.)])\s+/, '')),
    )) {
      if (claims(sentence)) claim = line.trim();
      else if (GOES_ON.test(plainOf(sentence))) claim = null;
    }
  }
  return claim;
}

function claims(sentence: Words): boolean {
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
