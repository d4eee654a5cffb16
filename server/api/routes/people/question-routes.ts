import type { QuestionRules } from '../../../questions/question-rules.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

type Names =
  | 'listQuestionRules'
  | 'setQuestionRule'
  | 'tryQuestionRule'
  | 'switchQuestionRule'
  | 'removeQuestionRule';

/** Rules for questions that no person answers; each change names the person. */
export function questionRoutes({ questions }: { questions: QuestionRules }): Handlers<Names> {
  return {
    listQuestionRules: () => ({ status: 200, body: { rules: questions.list() } }),
    setQuestionRule: ({ body, ...call }) => ({
      status: 200,
      body: questions.set(body, identityOf(call).name),
    }),
    tryQuestionRule: ({ params }) => ({ status: 200, body: questions.try(Number(params.id)) }),
    switchQuestionRule: ({ params, body, ...call }) => ({
      status: 200,
      body: questions.switch(Number(params.id), body.on, identityOf(call).name),
    }),
    removeQuestionRule: ({ params, ...call }) => {
      const id = Number(params.id);
      questions.remove(id, identityOf(call).name);
      return { status: 200, body: { id } };
    },
  };
}
