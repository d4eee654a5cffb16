/** The kind of answer a question needs. Closed sets: anything in none of them is open. */
import type { ClosingQuestion } from './closing-question.ts';
import { readQuestion } from '../asking-patterns.ts';
import { plainOf, type MaskedText } from './own-text.ts';

export type QuestionKind =
  | { kind: 'choice' }
  /** What is agreed to, in the agent's own words; null when the sentence does not name it. */
  | { kind: 'yes_no'; what: string | null }
  | { kind: 'open' };

const CHOOSES =
  /\b(?:which|what (?:would|do) you (?:like|prefer|think|want)|what should (?:I|we)|how (?:would you like|should (?:I|we)|do you want)|do you prefer|would you (?:prefer|rather)|preference|choose|pick|select|options?|one of (?:these|them|the)|either of)\b|^(?:(?:would you like|do you want)(?: me)?(?: to)?|should (?:I|we))\s?[:：]$/i;

const BEFORE = String.raw`^[\s*_]*(?:[^?\n]{1,160}(?:,|;| [–—-]) )?(?:(?:so|ok|okay|now|then|and),? )?`;
const FILLER =
  '(?:(?:now|also|just|then|please) |go ahead and |go ahead with |proceed (?:to|with) )*';
const OFFERS = new RegExp(
  `${BEFORE}(?:(?:shall|should|may|can|could) (?:I|we)|(?:do you want|would you like|want) (?:me|us) to|` +
    '(?:is it|would it be) (?:ok|okay|fine|all right|alright|acceptable) (?:if (?:I|we)|for me to|to)|' +
    `(?:ok|okay|ready|fine) (?:for me )?(?:to|if I)) ${FILLER}([^?]{2,400})\\?`,
  'di',
);
const ASSENT =
  /^(?:(?:does|do|is|are|would|will) (?:that|this|it|these|those|everything|the \w+)\b[^?]{0,80}\b(?:ok|okay|good|fine|reasonable|works?|acceptable|all right|make sense|makes sense)\b[^?]{0,20}|(?:sounds?|looks?) (?:good|ok|okay|fine)|ok|okay|proceed|continue|go ahead|agreed)\?/i;
/** A yes to these would end the work, or leave it as it is. */
const LESS =
  /^(?:stop|pause|wait|skip|ignore|leave|not|end|quit|abort|give up|cancel|finish here|hold|keep it as|revert)\b/i;
const CONFIRM =
  /^(?:please )?(?:confirm(?: (?:this|that|it|so|first))*(?:[.!]*$| (?:before|and|so|to|if|that) )|let me know (?:if|whether|when) (?:I|we|you(?:'d like| want| would like) (?:me|us) to)\b)/i;

export function questionKind({ asking, list }: ClosingQuestion): QuestionKind {
  if (list !== null && list.length > 1 && asking.some((one) => CHOOSES.test(plainOf(one)))) {
    return list.some(({ content }) => content.own.includes('?'))
      ? { kind: 'open' }
      : { kind: 'choice' };
  }
  return asking.length > 1 ? { kind: 'open' } : yesNo(asking[0]);
}

function yesNo(sentence: MaskedText): QuestionKind {
  const plain = plainOf(sentence);
  const offered = OFFERS.exec(sentence.own.replaceAll('’', "'"))?.indices?.[1];
  if (offered !== undefined) {
    const what = sentence.text.slice(...offered).trim();
    // Between two things a yes is no answer.
    if (/\bor\b(?! not\b)/i.test(plain) || LESS.test(what)) return { kind: 'open' };
    // A phrase cut inside bold type is not used as a name.
    const isWhole = what.split('**').length % 2 === 1;
    return { kind: 'yes_no', what: isWhole ? what.replace(/,? or not$/i, '') : null };
  }
  const agrees = ASSENT.test(plain) || CONFIRM.test(plain) || readQuestion(plain) !== null;
  return agrees && !/\bor\b/i.test(plain) ? { kind: 'yes_no', what: null } : { kind: 'open' };
}
