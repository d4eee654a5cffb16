/**
 * The reply to an agent that ended its turn in a headless task, decided only here. Pure: equal
 * input, equal reply.
 */
import { chosenOption, labelOf } from './chosen-option.ts';
import { type ClosingQuestion, closingQuestion, isCourtesy } from './closing-question.ts';
import { announcesHarm, reasonForPerson, type PersonReason } from './reason-for-person.ts';
import { sentencesOf, type MaskedText } from './own-text.ts';
import { questionKind } from './question-kind.ts';
import { type ListItem, type MessageBlock, messageBlocks } from './message-blocks.ts';
import { reportedState } from './reported-state.ts';

export interface ReplyContext {
  /** Turns so far. */
  iteration: number;
  /** The agent's earlier messages, newest last. */
  previous: readonly string[];
}

export type TaskReply =
  | {
      kind: 'reply';
      text: string;
      why: 'choice' | 'yes_no' | 'open' | 'error' | 'completion' | 'continuation';
    }
  /** Left to a person, with the text of the question. */
  | { kind: 'person'; reason: PersonReason | 'repeats_itself'; question: string };

/** As many equal replies in a row are too many. */
const EQUAL_REPLIES = 3;
/** Of the question shown to a person, in characters. */
const QUESTION_LENGTH = 1_000;
/** Longer ones are not repeated to the agent. */
const QUOTED_LENGTH = 300;

export const OPEN =
  'Use your own judgement: follow the conventions of the project, choose the simplest approach that meets ' +
  'the task description, and note the decision in your summary. Then continue.';
const ERROR =
  'Find the cause before you change anything else: read the whole message, and check what it ' +
  'refers to. If your approach cannot work, say why and choose another one.';
const COMPLETION =
  'Check the result against each point of the task description, and run the checks of the project. ' +
  'If something is missing, do it. If nothing is missing, finish with a summary of what you did and how you verified that it works.';
const CONTINUATION = [
  { below: 5, text: 'Continue with the next step of the task.' },
  {
    below: 10,
    text: 'Continue. Say in one line what is left of the task description, and do the next part of it.',
  },
  {
    below: Infinity,
    text:
      'List what is still missing against the task description, and do it. If nothing is missing, ' +
      'finish with a summary of what you did and how you verified that it works.',
  },
];

/**
 * The reply, or why a person has to answer. A reply names no absolute path. Linear, and never
 * throws.
 */
export function taskReply(text: string, { iteration, previous }: ReplyContext): TaskReply {
  const blocks = messageBlocks(text);
  const question = closingQuestion(blocks);
  const asked = question === null ? null : answer(question, text);
  if (asked?.kind === 'person') return asked;
  if (repeatsItself(text, previous)) {
    return { kind: 'person', reason: 'repeats_itself', question: shown(text) };
  }
  if (asked !== null) return asked;
  const closing = closingSentences(blocks);
  const harm = closing.find(announcesHarm);
  if (harm !== undefined) {
    return { kind: 'person', reason: 'permission', question: shown(harm.text) };
  }
  switch (reportedState(closing)) {
    case 'error':
      return { kind: 'reply', why: 'error', text: ERROR };
    case 'completion':
      return { kind: 'reply', why: 'completion', text: COMPLETION };
    case 'continuation':
      return { kind: 'reply', why: 'continuation', text: continuation(iteration) };
  }
}

function answer(question: ClosingQuestion, message: string): TaskReply {
  const kind = questionKind(question);
  const option = kind.kind === 'choice' ? optionOf(question) : null;
  const reason = reasonForPerson(question, option, message);
  if (reason !== null) {
    const parts = [...question.asking.map(({ text }) => text), ...listed(question.list)];
    return { kind: 'person', reason, question: shown(parts.join('\n')) };
  }
  if (option !== null) return { kind: 'reply', why: 'choice', text: take(option) };
  if (kind.kind !== 'yes_no') return { kind: 'reply', why: 'open', text: OPEN };
  const what = kind.what ?? `what you asked (“${question.asking[0].text}”)`;
  return {
    kind: 'reply',
    why: 'yes_no',
    text: `Yes, go ahead${quotable(what, kind.what === null ? ' with ' : ': ')}.`,
  };
}

export function optionOf({ list, sentences, after }: ClosingQuestion): ListItem | null {
  const [first, ...rest] = list ?? [];
  return first === undefined ? null : chosenOption([first, ...rest], [...sentences, ...after]);
}

export function take(option: ListItem): string {
  const name = quotable(`“${labelOf(option)}”`, option.key === '' ? '' : ', ');
  if (option.key !== '') return `Take option ${option.key}${name}.`;
  return name === '' ? 'Take your first option, or the one you recommend.' : `Take ${name}.`;
}

function continuation(iteration: number): string {
  return CONTINUATION.find(({ below }) => iteration < below)?.text ?? '';
}

const ABSOLUTE = /(?<![\p{L}\p{N}_.~/\\-])(?:~|[A-Za-z]:)?[\\/]+[\p{L}\p{N}_.$@-]|file:/u;

/** Both joined, or '' when the words are too long or contain a path. */
function quotable(text: string, lead: string): string {
  const isPlace = ABSOLUTE.test(text.replaceAll(/\bhttps?:\/\/[^\s]+/g, ''));
  return isPlace || text.length > QUOTED_LENGTH ? '' : `${lead}${text}`;
}

function closingSentences(blocks: readonly MessageBlock[]): MaskedText[] {
  for (const block of blocks.toReversed()) {
    if (block.kind !== 'prose') continue;
    const sentences = sentencesOf(block.content).filter((sentence) => !isCourtesy(sentence));
    if (sentences.length > 0) return sentences;
  }
  return [];
}

function repeatsItself(text: string, previous: readonly string[]): boolean {
  const last = [...previous, text].slice(-EQUAL_REPLIES).map(normalized);
  return last.length === EQUAL_REPLIES && new Set(last).size === 1;
}

/** Without case, blanks and punctuation. */
function normalized(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Its end: that is where it asks. */
function shown(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= QUESTION_LENGTH ? trimmed : `…${trimmed.slice(1 - QUESTION_LENGTH)}`;
}

function listed(list: readonly ListItem[] | null): string[] {
  return (list ?? []).map(({ key, content }) => `${key === '' ? '-' : `${key}.`} ${content.text}`);
}
