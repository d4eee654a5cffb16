import type { Attention } from '../../../attention/attention.ts';
import type { PushAnswers } from '../../../push/push-answers.ts';
import type { PushSender } from '../../../push/push-sender.ts';
import type { PushSubscriptions } from '../../../push/push-subscriptions.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

type Names =
  | 'listPushSubscriptions'
  | 'subscribePush'
  | 'unsubscribePush'
  | 'testPush'
  | 'answerByNotification';

interface Push {
  subscriptions: PushSubscriptions;
  sender: PushSender;
  answers: PushAnswers;
  publicKey: () => string;
  attention: Attention;
  /** The address of the dashboard. */
  page: () => string;
  /** Aborts when the daemon stops. */
  stopped: AbortSignal;
}

/** Each person sees and changes only their own browsers. */
export function pushRoutes({
  subscriptions,
  sender,
  answers,
  publicKey,
  attention,
  page,
  stopped,
}: Push): Handlers<Names> {
  return {
    listPushSubscriptions: (call) => ({
      status: 200,
      body: { public_key: publicKey(), browsers: subscriptions.list(identityOf(call)) },
    }),
    subscribePush: ({ body, ...call }) => ({
      status: 201,
      body: subscriptions.add(identityOf(call), body),
    }),
    unsubscribePush: ({ params, ...call }) => {
      subscriptions.remove(identityOf(call), params.id);
      return { status: 200, body: { id: params.id } };
    },
    testPush: async ({ params, ...call }) => {
      const browser = subscriptions.own(identityOf(call), params.id);
      const links = { page: page(), acknowledge: null };
      return { status: 200, body: await sender.test(browser, links, stopped) };
    },
    answerByNotification: async ({ body }) => {
      const { item, by } = answers.verify(body.ticket);
      await attention.settle(item);
      const { id, title, outcome } = attention.answer(item, { decision: body.decision }, by);
      return { status: 200, body: { id, title, outcome, by } };
    },
  };
}
