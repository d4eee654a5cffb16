/** The default for a question that no person answered in time: the same rules as for any reply. */
import type { AgentRequest } from '../../../shared/schema/attention/attention.ts';
import { riskOfLines } from '../deny-list.ts';
import { closingQuestion } from './closing-question.ts';
import { messageBlocks } from './message-blocks.ts';
import { OPEN, optionOf, take, taskReply } from './task-reply.ts';

export type DefaultAnswer =
  | { kind: 'answer'; text: string; answers: Record<string, string | string[]> }
  /** What it may touch needs a person, however long it waits. */
  | { kind: 'person'; why: string };

const DENIED = 'it may touch something that cannot be undone, costs money or opens a door';
const PERMISSION = 'it asks for a permission';

/** For the text of a question at the end of a turn. Linear, and never throws. */
export function defaultAnswer(question: string): DefaultAnswer {
  if (isDenied(question.split('\n'))) return { kind: 'person', why: DENIED };
  const reply = taskReply(question, { iteration: 0, previous: [] });
  if (reply.kind === 'reply') {
    const isAnswer = reply.why === 'choice' || reply.why === 'yes_no' || reply.why === 'open';
    return { kind: 'answer', text: isAnswer ? reply.text : unanswered(OPEN), answers: {} };
  }
  if (reply.reason === 'permission') return { kind: 'person', why: PERMISSION };
  const asked = closingQuestion(messageBlocks(question));
  const option = asked === null ? null : optionOf(asked);
  return { kind: 'answer', text: unanswered(option === null ? OPEN : take(option)), answers: {} };
}

const RECOMMENDED = /\(recommended\)|\brecommended\b/i;

/** For questions with choices: of each the recommended one, else the first. */
export function defaultChoices({ questions }: AgentRequest): DefaultAnswer {
  const answers: Record<string, string | string[]> = {};
  for (const { question, options, multi_select: isMulti } of questions) {
    const chosen = options.find(({ label }) => RECOMMENDED.test(label)) ?? options[0];
    if (chosen === undefined) return { kind: 'person', why: 'it offers no choices' };
    if (isDenied([question, chosen.label, chosen.description])) {
      return { kind: 'person', why: DENIED };
    }
    answers[question] = isMulti ? [chosen.label] : chosen.label;
  }
  const text = Object.values(answers).flat().join(', ');
  return { kind: 'answer', text, answers };
}

function unanswered(text: string): string {
  return `No one has answered in time. ${text}`;
}

function isDenied(lines: readonly string[]): boolean {
  const risk = riskOfLines(lines);
  return risk === 'denied' || risk === 'unreadable';
}
