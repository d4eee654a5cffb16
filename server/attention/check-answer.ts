/** A person’s answer to a request: whether it fits, and what the record keeps of it. */
import type { AgentRequest, AttentionAnswer } from '../../shared/schema/attention/attention.ts';
import { oneLine } from '../../shared/rules/text/plain-text.ts';
import { AppError } from '../lib/app-error.ts';

/** Of the line that the record keeps of an answer. */
const MAX_LINE = 1_000;

/** Throws `invalid_body` when they do not fit together. */
export function checkAnswer(request: AgentRequest, answer: AttentionAnswer): void {
  if (request.questions.length > 0) checkAnswers(request, answer);
  else if (answer.answers !== undefined) {
    throw refused('answers', 'this item has no questions; answer with just allow or deny');
  } else if (answer.input !== undefined) checkInput(request.input, answer.input);
}

function checkAnswers({ questions }: AgentRequest, answer: AttentionAnswer): void {
  if (answer.input !== undefined) {
    throw refused('input', 'a question takes answers; its input cannot be edited');
  }
  if (answer.decision === 'deny') return;
  const given = Object.entries(answer.answers ?? {});
  if (given.length === 0) throw refused('answers', 'answer at least one of the questions');
  for (const [text, chosen] of given) {
    const asked = questions.find(({ question }) => question === text);
    if (asked === undefined)
      throw refused('answers', `"${text.slice(0, 200)}" is not one of the questions`);
    if (Array.isArray(chosen) && !asked.multi_select) {
      throw refused('answers', `"${text.slice(0, 200)}" takes a single answer`);
    }
    const all = [chosen].flat();
    if (all.length === 0 || all.some((one) => one.trim() === '')) {
      throw refused('answers', 'an answer must be a label or your own text');
    }
  }
}

/** A key more or less would be another tool call than the one requested. */
function checkInput(asked: Record<string, unknown>, edited: Record<string, unknown>): void {
  const before = Object.keys(asked).sort();
  const after = Object.keys(edited).sort();
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    throw refused(
      'input',
      `an edited input must have the same keys as the request: ${before.join(', ')}`,
    );
  }
}

function refused(field: string, message: string): AppError {
  return new AppError('invalid_body', `${field}: ${message}`, { issues: [{ field, message }] });
}

/** The line that the record keeps of an answer. */
export function answerText(answer: AttentionAnswer): string {
  const { decision, message, input, answers } = answer;
  const given = Object.entries(answers ?? {}).map(([question, chosen]) => ({
    question,
    words: [chosen].flat().join(', '),
  }));
  const [first] = given;
  if (first !== undefined && given.length === 1) return oneLine(first.words, MAX_LINE);
  if (first !== undefined) {
    const all = given.map(({ question, words }) => `${question} ${words}`).join('; ');
    return oneLine(all, MAX_LINE);
  }
  if (input !== undefined) return 'allow, with an edited input';
  return oneLine(message === undefined ? decision : `${decision}: ${message}`, MAX_LINE);
}
