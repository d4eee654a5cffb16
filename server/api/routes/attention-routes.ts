import { readSubject } from '../../../shared/schema/subject.ts';
import type { Attention } from '../../attention/attention.ts';
import { identityOf, type Handlers } from '../endpoint-handler.ts';

/** The inbox: list, view, answer, dismiss. Who did it is recorded by name. */
export function attentionRoutes({
  attention,
}: {
  attention: Attention;
}): Handlers<'listAttention' | 'getAttention' | 'answerAttention' | 'dismissAttention'> {
  return {
    listAttention: ({ query }) => ({
      status: 200,
      body: {
        items: attention.list({
          open: query.state === 'open',
          limit: query.limit,
          about: query.subject === undefined ? null : readSubject(query.subject),
        }),
        open: attention.countOpen(),
      },
    }),
    getAttention: ({ params }) => ({ status: 200, body: attention.get(params.id) }),
    answerAttention: async ({ params, body, ...call }) => {
      await attention.settle(params.id);
      return { status: 200, body: attention.answer(params.id, body, identityOf(call).name) };
    },
    dismissAttention: ({ params, ...call }) => ({
      status: 200,
      body: attention.dismiss(params.id, identityOf(call).name),
    }),
  };
}
