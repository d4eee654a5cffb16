/** Whether somebody says that something is so: not that it is not, not that it would be. */
import { plainOf, type Words } from './own-words.ts';

const UNSAID_BEFORE =
  /\b(?:not|never|no|nothing|none|without|hardly|almost|nearly|partly|partially|half|mostly|far from|until|unless|once|when|whenever|after|before|if|whether|as soon as|so that|to be|(?:will|would|should|must|can|could|may|might|cannot) (?:then )?(?:be|have)|needs?|yet|todo|isn't|aren't|wasn't|hasn't|haven't|don't|didn't|can't|won't|couldn't|say|says|said|claims?|expected?)\b/i;
const UNSAID_AFTER =
  /\b(?:not (?:yet|finished|done|complete)|yet to|except|apart from|other than|but|still|remain(?:s|ing)?|pending|if|once|unless|until|to do|(?:first|second|third|next|initial) (?:part|half|step|phase|piece|task)|(?:step|part|phase) \d+)\b/i;

/**
 * Takes a sentence and what to look for; tells whether it says so of the present, plainly: no denial,
 * condition or limit stands around it, it is no question, and the words are the author's own.
 */
export function isAffirmed(sentence: Words, what: RegExp): boolean {
  const plain = plainOf(sentence);
  const found = what.exec(plain);
  if (found === null || /\?\W*$/.test(plain)) return false;
  const before = plain.slice(0, found.index);
  const after = plain.slice(found.index + found[0].length);
  return !UNSAID_BEFORE.test(before) && !UNSAID_AFTER.test(after);
}
