import { NO_ID } from '../house/example-values.ts';

/** One that is only stored: nothing is sent to it. The key is that of RFC 8291, appendix A. */
const SUBSCRIPTION = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/example',
  keys: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  label: 'Chrome on Android',
};

/** Valid calls of Web Push, in an order that works. */
export function pushExamples({ browser, ticket } = { browser: NO_ID, ticket: 'none' }) {
  return {
    listPushSubscriptions: { status: 200 },
    subscribePush: { status: 201, body: SUBSCRIPTION },
    answerByNotification: { status: 200, body: { ticket, decision: 'allow' } },
    testPush: { status: 200, id: browser },
    unsubscribePush: { status: 200, id: browser },
  };
}
