import type { AskedQuestion } from '$shared/attention.ts';

/** What a person picked and wrote so far, by the place of the question. */
export interface Draft {
  labels: readonly string[];
  words: string;
}

/** Takes the questions and the drafts in their order; gives the answers, or null while there are none. */
export function collectAnswers(
  questions: readonly AskedQuestion[],
  drafts: readonly Draft[],
): Record<string, string | string[]> | null {
  const answers = questions.flatMap(({ question, multi_select }, place) => {
    const draft = drafts[place];
    const words = draft?.words.trim() ?? '';
    const given = [...(draft?.labels ?? []), ...(words === '' ? [] : [words])];
    // Words of one's own are meant in place of the one label.
    const last = given.at(-1);
    if (last === undefined) return [];
    return [[question, multi_select ? given : last] as const];
  });
  return answers.length === 0 ? null : Object.fromEntries(answers);
}
