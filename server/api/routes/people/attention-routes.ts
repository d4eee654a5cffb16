import { readSubject } from '../../../../shared/schema/events/subject.ts';
import type { Attention } from '../../../attention/attention.ts';
import { shownItem } from '../../../attention/shown-item.ts';
import type { Config } from '../../../lib/config/config.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

/** The inbox: list, view, answer, dismiss. Who did it is recorded by name. */
export function attentionRoutes({
  attention,
  details,
}: {
  attention: Attention;
  /** Who sees what found sessions ask. */
  details: Config['foundDetails'];
}): Handlers<'listAttention' | 'getAttention' | 'answerAttention' | 'dismissAttention'> {
  return {
    listAttention: ({ query, ...call }) => ({
      status: 200,
      body: {
        items: attention
          .list({
            open: query.state === 'open',
            limit: query.limit,
            about: query.subject === undefined ? null : readSubject(query.subject),
          })
          .map((item) => shownItem(item, identityOf(call).role, details)),
        open: attention.countOpen(),
      },
    }),
    getAttention: ({ params, ...call }) => ({
      status: 200,
      body: shownItem(attention.get(params.id), identityOf(call).role, details),
    }),
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
