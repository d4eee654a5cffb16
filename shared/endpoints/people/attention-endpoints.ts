/** The inbox: list, one item, answer, dismiss. */
import { z } from 'zod';
import {
  AttentionAnswer,
  AttentionItem,
  AttentionPage,
  AttentionQuery,
} from '../../schema/attention/attention.ts';
import type { Endpoint } from '../endpoint.ts';

const AttentionParams = z.object({ id: z.string().regex(/^[0-9a-f]{20}$/) });

export const ATTENTION_ENDPOINTS = {
  listAttention: {
    method: 'GET',
    path: '/api/attention',
    summary:
      'List open inbox items, oldest first; `state=all` returns the newest items in any state.',
    role: 'viewer',
    copied: '?state=open&limit=1000',
    query: AttentionQuery,
    responses: { 200: AttentionPage },
    errors: [],
  },
  getAttention: {
    method: 'GET',
    path: '/api/attention/:id',
    summary: 'Get an inbox item, open or cleared.',
    role: 'viewer',
    params: AttentionParams,
    unknown: 'attention_unknown',
    responses: { 200: AttentionItem },
    errors: ['attention_unknown'],
  },
  answerAttention: {
    method: 'POST',
    path: '/api/attention/:id/answer',
    summary: 'Answer the agent’s request; stored before it is passed to the agent.',
    role: 'operator',
    params: AttentionParams,
    unknown: 'attention_unknown',
    body: AttentionAnswer,
    responses: { 200: AttentionItem },
    errors: ['attention_unknown', 'attention_cleared', 'not_answerable'],
  },
  dismissAttention: {
    method: 'POST',
    path: '/api/attention/:id/dismiss',
    summary: 'Dismiss an item; the agent keeps waiting.',
    role: 'operator',
    params: AttentionParams,
    unknown: 'attention_unknown',
    responses: { 200: AttentionItem },
    errors: ['attention_unknown', 'attention_cleared'],
  },
} as const satisfies Record<string, Endpoint>;
