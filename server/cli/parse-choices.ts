import type { AskedQuestion } from '../../shared/schema/attention/attention.ts';
import { usage } from './command-parts.ts';

export type Choices = Record<string, string | string[]>;

/**
 * The answers by question, from chosen labels and free text. With several questions each begins with
 * its question, or its header, and `=`. Throws a CliError (usage).
 */
export function parseChoices(
  questions: readonly AskedQuestion[],
  labels: readonly string[],
  texts: readonly string[],
): Choices {
  const given = new Map<AskedQuestion, string[]>();
  const add = (asked: AskedQuestion, word: string) => {
    given.set(asked, [...(given.get(asked) ?? []), word]);
  };
  for (const word of labels) {
    const [asked, label] = split(questions, word);
    if (!asked.options.some((option) => option.label === label)) {
      const offered = asked.options.map((option) => option.label).join(', ');
      throw usage(`"${label}" is not one of: ${offered}; use --text for your own answer`);
    }
    add(asked, label);
  }
  for (const word of texts) add(...split(questions, word));
  const answers = [...given].map(([{ question, multi_select }, words]) => {
    const [first = ''] = words;
    if (!multi_select && words.length > 1) throw usage(`"${question}" takes a single answer`);
    return [question, multi_select ? words : first] as const;
  });
  return Object.fromEntries(answers);
}

function split(questions: readonly AskedQuestion[], word: string): [AskedQuestion, string] {
  const [only] = questions;
  if (only === undefined) throw usage('this item has no questions; answer with just allow or deny');
  if (questions.length === 1) return [only, word];
  for (const key of ['question', 'header'] as const) {
    const found = questions.filter((asked) => word.startsWith(`${asked[key]}=`));
    const [asked] = found;
    if (asked !== undefined && found.length === 1)
      return [asked, word.slice(asked[key].length + 1)];
  }
  throw usage(`name the question that "${word}" answers: "question=${word}"`);
}
