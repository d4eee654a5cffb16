import type { AttentionItem } from '../../../shared/schema/attention.ts';
import type { Role } from '../../../shared/schema/people/role.ts';
import { readSubject } from '../../../shared/schema/subject.ts';
import { requestNeed } from '../../attention/attention-for.ts';
import type { Attention } from '../../attention/attention.ts';
import { identityOf, type Handlers } from '../endpoint-handler.ts';

/** The inbox: list, view, answer, dismiss. Who did it is recorded by name. */
export function attentionRoutes({
  attention,
  details,
}: {
  attention: Attention;
  /** Who sees what found sessions ask. */
  details: 'operators' | 'everyone';
}): Handlers<'listAttention' | 'getAttention' | 'answerAttention' | 'dismissAttention'> {
  const shownTo = (role: Role, item: AttentionItem): AttentionItem => {
    if (item.subject.kind !== 'found') return item;
    const isOpen = details === 'everyone' || role !== 'viewer';
    if (!isOpen) return { ...item, detail: null, request: null };
    // The stored title is for events, which everyone sees.
    return item.request === null ? item : { ...item, title: requestNeed(item.request).title };
  };
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
          .map((item) => shownTo(identityOf(call).role, item)),
        open: attention.countOpen(),
      },
    }),
    getAttention: ({ params, ...call }) => ({
      status: 200,
      body: shownTo(identityOf(call).role, attention.get(params.id)),
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
