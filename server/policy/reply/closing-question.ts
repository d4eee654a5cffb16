/** What the last paragraph of an agent's message asks, and the options it offers. */
import { readQuestion } from '../asking-patterns.ts';
import { plainOf, sentencesOf, type MaskedText } from './own-text.ts';
import type { ListItem, MessageBlock } from './message-blocks.ts';

export interface ClosingQuestion {
  /** The sentences that ask, in order; at least one. */
  asking: [MaskedText, ...MaskedText[]];
  /** All sentences of the same paragraph. */
  sentences: MaskedText[];
  /** The adjacent list, if any. */
  list: ListItem[] | null;
  /** Sentences after it: which of the options the agent recommends. */
  after: MaskedText[];
}

const MARKED = /\?\s*(?:[([]y(?:es)?\s?\/\s?n(?:o)?[)\]])?[\s)\]"”’\p{So}\ufe0f]*$/iu;
/** Questions without a mark. */
const ASKS_FOR_ANSWER = new RegExp(
  [
    '^(?:so,? |and |just )?(?:please )?(?:(?:let me know|tell me|advise|specify|indicate|say) (?:which|what|whether|how|where|who|when|if)|(?:confirm|approve|choose|pick|select|provide|send|share|paste|give me|grant|enter|log ?in|run)\\b)',
    `\\bI(?:'ll| will| would)?(?: still)? (?:need|require|await) (?:you to\\b|your\\b|(?:(?:an?|the|some|further) )?(?:\\w+ ){0,3}(?:key|token|password|account|approval|confirmation|permissions?|decision|answer|credentials?|access)\\b(?! the))`,
    '\\b(?:awaiting|waiting for|wait for|need) your\\b',
    "\\b(?:can't|cannot|can not|won't|couldn't|not able to|unable to)\\b.{0,80}\\b(?:without|until|unless)\\b.{0,60}\\b(?:permission|approv|grant|allow|provide|confirm|credential|access|key|token|password)",
  ].join('|'),
  'i',
);
const COURTESY =
  /^(?:(?:please |just )?(?:let me know|tell me)|feel free|don't hesitate|(?:I'm |I am |I'd be )?(?:happy|glad) to)\b(?! (?:which|what(?! you think)|whether|how)\b).*\b(?:questions?|anything|any|changes|adjust\w*|tweak\w*|modif\w*|issues?|problems?|help|feedback|differently|thoughts|concerns|needed|further|what you think)\b|^(?:is there|do you|would you|did you|can I|shall I|anything|any|what)\b.*\b(?:anything (?:else|more|further|about|you'd|you would)|any (?:other|further|more|questions?|feedback|thoughts|concerns|changes))\b|^(?:please )?let me know[.!]*$|^(?:thanks|thank you)\b/i;
const CONFIRM = /^please (?:confirm|approve)(?: (?:this|that|it|so|first))*[.!]*$/i;
/** A question that its author answers. */
const RHETORIC = /^(?:so )?(?:why|how come|what (?:happened|changed|went wrong|does this mean))\b/i;
const WOULD_TAKE = /\b(?:recommend|suggest|prefer|lean|leaning|go with|my choice|my preference)\b/i;
const ENDS_OPEN = /[:：]\s*$/;

/** Null when the end of the message asks nothing. */
export function closingQuestion(blocks: readonly MessageBlock[]): ClosingQuestion | null {
  let last = blocks.length - 1;
  const after: MaskedText[] = [];
  let confirm: MaskedText | null = null;
  // Courtesies and advice may follow the question.
  for (; last >= 0; last -= 1) {
    const block = blocks[last];
    if (block?.kind !== 'prose') break;
    const sentences = sentencesOf(block.content);
    const question = askedIn(sentences);
    if (question !== null) return { ...question, list: listNextTo(blocks, last), after };
    const passes = sentences.every(
      (one) => isCourtesy(one) || CONFIRM.test(plainOf(one)) || WOULD_TAKE.test(plainOf(one)),
    );
    if (!passes && confirm === null) return null;
    if (!passes) break;
    confirm ??= sentences.find((one) => CONFIRM.test(plainOf(one))) ?? null;
    after.push(...sentences);
  }
  const block = blocks[last];
  const around = block?.kind === 'list' ? askedAround(block.items, blocks[last - 1], after) : null;
  if (around !== null || confirm === null) return around;
  const sentences = block?.kind === 'prose' ? sentencesOf(block.content) : [];
  return { asking: [confirm], sentences: [...sentences, confirm], list: null, after };
}

export function isCourtesy(sentence: MaskedText): boolean {
  return COURTESY.test(plainOf(sentence));
}

function askedIn(sentences: MaskedText[]): Pick<ClosingQuestion, 'asking' | 'sentences'> | null {
  const [first, ...rest] = sentences.filter((sentence, index) => {
    const plain = plainOf(sentence);
    if (isCourtesy(sentence)) return false;
    if (CONFIRM.test(plain)) return sentences.length > 1;
    if (!MARKED.test(plain)) return ASKS_FOR_ANSWER.test(plain) || readQuestion(plain) !== null;
    return !(RHETORIC.test(plain) && index < sentences.length - 1);
  });
  return first === undefined ? null : { asking: [first, ...rest], sentences };
}

/** A list at the end of a message asks through the text above it, or item by item. */
function askedAround(
  items: readonly ListItem[],
  above: MessageBlock | undefined,
  after: MaskedText[],
): ClosingQuestion | null {
  const [first, ...rest] = items
    .map(({ content }) => content)
    .filter(({ own }) => MARKED.test(own));
  if (first !== undefined) return { asking: [first, ...rest], sentences: [], list: null, after };
  if (above?.kind !== 'prose') return null;
  const sentences = sentencesOf(above.content);
  const question = askedIn(sentences);
  const list = [...items];
  if (question !== null) return { ...question, list, after };
  const lead = sentences.at(-1);
  if (lead === undefined || !ENDS_OPEN.test(lead.own) || !isOpenQuestion(lead)) return null;
  return { asking: [lead], sentences, list, after };
}

/** `Would you like me to:`, `Which one do you prefer:`, `Please choose:`. */
function isOpenQuestion(lead: MaskedText): boolean {
  return /^(?:which|what|how|would you|do you|should I|shall I|(?:please )?(?:choose|pick|select))\b/i.test(
    plainOf(lead),
  );
}

function listNextTo(blocks: readonly MessageBlock[], index: number): ListItem[] | null {
  const before = blocks[index - 1];
  return before?.kind === 'list' ? before.items : null;
}
