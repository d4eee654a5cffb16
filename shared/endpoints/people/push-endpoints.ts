/** Web Push: the caller's own browsers, and answers given in a notification. */
import { z } from 'zod';
import { AttentionItem } from '../../schema/attention/attention.ts';
import {
  AnswerByNotification,
  PushTestResult,
  SubscribeBrowser,
  SubscribedBrowser,
  SubscribedBrowsers,
} from '../../schema/alerts/push.ts';
import type { Endpoint } from '../endpoint.ts';

const IdParams = z.object({ id: z.string().regex(/^[0-9a-f]{20}$/) });

export const PUSH_ENDPOINTS = {
  listPushSubscriptions: {
    method: 'GET',
    path: '/api/push/subscriptions',
    summary: 'List your browsers that get Web Push, and the key a browser subscribes with.',
    role: 'viewer',
    responses: { 200: SubscribedBrowsers },
    errors: [],
  },
  subscribePush: {
    method: 'POST',
    path: '/api/push/subscriptions',
    summary: 'Add a browser of yours; one that is known by its endpoint is replaced.',
    role: 'viewer',
    body: SubscribeBrowser,
    responses: { 201: SubscribedBrowser },
    errors: ['too_many_browsers'],
  },
  unsubscribePush: {
    method: 'DELETE',
    path: '/api/push/subscriptions/:id',
    summary: 'Remove one of your browsers; notifications shown there can no longer answer.',
    role: 'viewer',
    params: IdParams,
    unknown: 'browser_unknown',
    responses: { 200: z.object({ id: z.string() }) },
    errors: ['browser_unknown'],
  },
  testPush: {
    method: 'POST',
    path: '/api/push/subscriptions/:id/test',
    summary: 'Send a test to one of your browsers immediately, and return the result.',
    role: 'viewer',
    params: IdParams,
    unknown: 'browser_unknown',
    responses: { 200: PushTestResult },
    errors: ['browser_unknown'],
  },
  answerByNotification: {
    method: 'POST',
    path: '/api/push/answers',
    summary: 'Allow or deny with the signed ticket of a notification, within a day.',
    role: null,
    body: AnswerByNotification,
    responses: { 200: AttentionItem.pick({ id: true, title: true, outcome: true, by: true }) },
    errors: ['push_ticket_invalid', 'attention_unknown', 'attention_cleared', 'not_answerable'],
  },
} as const satisfies Record<string, Endpoint>;
