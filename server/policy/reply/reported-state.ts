/** What an agent reports about its work when its last paragraph asks nothing. */
import { plainOf, type MaskedText } from './own-text.ts';

export type ReportedState = 'error' | 'completion' | 'continuation';

const UNABLE =
  /\bI(?:'m| am)?(?: \w+){0,2} (?:unable to|not able to|cannot|can't|could not|couldn't|failed to|stuck|blocked|ran into|run into|running into|hit an?|encountered|getting an?)\b|\bI (?:cannot|can't|couldn't|hit|encountered|failed|ran into)\b/i;
const FAILS =
  /\b(?:tests?|suite|build|compil\w+|command|script|check|linter|lint|install(?:ation)?|migration|request|server|process|it|this|that|they|which|pipeline|job)(?: \w+){0,3} (?:fails?|failed|is failing|are failing|keeps? failing|crash(?:es|ed)|(?:(?:does|did|do) not|doesn't|didn't|don't) (?:work|compile|build|pass|start|run))\b/i;
const STILL =
  /\bstill (?:fail\w*|broken|crash\w*|errors?)\b|\b[1-9]\d* (?:\w+ ){0,2}(?:failed|failing|failures?|errors?)\b|\bthere (?:is|are|was|were) (?:still )?(?:an?|some|several|many|[1-9]\d*) (?:\w+ )?(?:errors?|failures?|exceptions?|problems?)\b|^(?:\w+)?(?:error|exception):/i;
/** `no errors`, `error handling`, `used to fail`: words about failures that report none. */
const NO_FAILURE =
  /\b(?:no|zero|0|without(?: any)?|free of) (?:\w+ ){0,2}(?:errors?|failures?|failed|failing|exceptions?|problems?|issues?)\b|\bno longer\b|\bused to\b|\b(?:fixed|resolved|solved|corrected|worked around|now (?:pass|work|succeed|compile|build)\w*|passes now|pass now)\b|\b(?:if|when|whenever|unless|in case)\b(?: \w+){0,4} (?:fail\w*|crash\w*|errors?|not)\b|\b(?:should|would|must|may|might|could) (?:\w+ )?fail\b/i;
const DONE =
  /\b(?:is|are|am|has been|have been|been|it's|that's|all|everything(?:'s| is)?|now|successfully|fully|I(?:'ve| have)?) (?:now |all |been |fully |successfully |also )*(?:done|complete[d]?|finished|implemented|in place|ready)\b|^(?:all )?(?:done|complete[d]?|finished)\b(?! (?:the )?(?:first|step|part))|\ball (?:\w+ ){0,3}(?:tests|checks) (?:now )?pass(?:ed|ing)?\b|\bcompleted the (?:task|work|implementation)\b/i;
const CONTINUES =
  /^(?:next|now|then|let me|let's)\b|\b(?:I'll|I will|I'm going to|I am going to|I'm about to)\b(?! (?:be (?:here|happy)|wait|stop|leave))/i;

const NEGATED_BEFORE =
  /\b(?:not|never|no|nothing|none|without|hardly|almost|nearly|partly|partially|half|mostly|far from|until|unless|once|when|whenever|after|before|if|whether|as soon as|so that|to be|(?:will|would|should|must|can|could|may|might|cannot) (?:then )?(?:be|have)|needs?|yet|todo|isn't|aren't|wasn't|hasn't|haven't|don't|didn't|can't|won't|couldn't|say|says|said|claims?|expected?)\b/i;
const NEGATED_AFTER =
  /\b(?:not (?:yet|finished|done|complete)|yet to|except|apart from|other than|but|still|remain(?:s|ing)?|pending|if|once|unless|until|to do|(?:first|second|third|next|initial) (?:part|half|step|phase|piece|task)|(?:step|part|phase) \d+)\b/i;

/** `sentences`: those of the last paragraph, without questions and courtesies. */
export function reportedState(sentences: readonly MaskedText[]): ReportedState {
  const plain = sentences.map(plainOf);
  // A failure that was fixed later is no error.
  const failing = plain.findLastIndex(
    (text) =>
      !NO_FAILURE.test(text) && [UNABLE, FAILS, STILL].some((pattern) => pattern.test(text)),
  );
  const right = plain.findLastIndex((text) => NO_FAILURE.test(text));
  if (failing > right) return 'error';
  if (plain.some((text) => CONTINUES.test(text))) return 'continuation';
  return sentences.some((sentence) => isAffirmed(sentence, DONE)) ? 'completion' : 'continuation';
}

/**
 * Whether the sentence affirms `what` plainly and in the present: without a denial, condition or
 * limit around it, not as a question, and in the author's own words.
 */
export function isAffirmed(sentence: MaskedText, what: RegExp): boolean {
  const plain = plainOf(sentence);
  const found = what.exec(plain);
  if (found === null || /\?\W*$/.test(plain)) return false;
  const before = plain.slice(0, found.index);
  const after = plain.slice(found.index + found[0].length);
  return !NEGATED_BEFORE.test(before) && !NEGATED_AFTER.test(after);
}
