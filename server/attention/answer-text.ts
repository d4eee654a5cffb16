import type { AttentionAnswer } from '../../shared/schema/attention.ts';
import { oneLine } from '../../shared/rules/plain-text.ts';

const MAX_LENGTH = 1_000;

/** The line that the record keeps of an answer. */
export function answerText(answer: AttentionAnswer): string {
  const { decision, message, input, answers } = answer;
  const given = Object.entries(answers ?? {}).map(([question, chosen]) => ({
    question,
    words: [chosen].flat().join(', '),
  }));
  const [first] = given;
  if (first !== undefined && given.length === 1) return oneLine(first.words, MAX_LENGTH);
  if (first !== undefined) {
    const all = given.map(({ question, words }) => `${question} ${words}`).join('; ');
    return oneLine(all, MAX_LENGTH);
  }
  if (input !== undefined) return 'allow, with an edited input';
  return oneLine(message === undefined ? decision : `${decision}: ${message}`, MAX_LENGTH);
}
