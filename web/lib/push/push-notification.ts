/** The notification that a message is shown as. Pure. */
import type { PushPayload } from '$shared/rules/push-payload.ts';
import type { PushAnswer } from '$shared/schema/alerts/push.ts';

/** What the worker needs of a notification when it is pressed. */
export type NotificationData = Pick<PushPayload, 'path' | 'acknowledge' | 'ticket'>;

export interface PushNotification {
  title: string;
  options: {
    body: string;
    tag: string;
    /** Also a notification that replaces another is announced. */
    renotify: true;
    icon: string;
    badge: string;
    timestamp: number;
    /** Stays until it is answered. */
    requireInteraction: boolean;
    actions: { action: string; title: string }[];
    data: NotificationData;
  };
}

const ANSWER_TITLE: Record<PushAnswer, string> = { allow: 'Allow', deny: 'Deny' };

export function pushNotification(payload: PushPayload): PushNotification {
  const { title, text, tag, at, answers, path, acknowledge, ticket } = payload;
  const actions: PushNotification['options']['actions'] = answers.map((answer) => {
    return { action: answer, title: ANSWER_TITLE[answer] };
  });
  // An answer also acknowledges, and systems show two actions.
  if (acknowledge !== null && actions.length === 0) {
    actions.push({ action: 'acknowledge', title: 'Acknowledge' });
  }
  return {
    title,
    options: {
      body: text,
      tag,
      renotify: true,
      icon: '/icon-192.png',
      badge: '/badge-96.png',
      timestamp: at,
      requireInteraction: answers.length > 0,
      actions,
      data: { path, acknowledge, ticket },
    },
  };
}
