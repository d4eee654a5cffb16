/** Where a person is needed: the list, one item, a word on it. */
import { z } from 'zod';
import {
  AttentionAnswer,
  AttentionItem,
  AttentionPage,
  AttentionQuery,
} from '../schema/attention.ts';
import type { Endpoint } from './endpoint.ts';

const AttentionParams = z.object({ id: z.string().regex(/^[0-9a-f]{20}$/) });

export const ATTENTION_ENDPOINTS = {
  listAttention: {
    method: 'GET',
    path: '/api/attention',
    summary: 'Where a person is needed, oldest first; `state=all` gives the newest items of all.',
    role: 'viewer',
    query: AttentionQuery,
    responses: { 200: AttentionPage },
    errors: [],
  },
  getAttention: {
    method: 'GET',
    path: '/api/attention/:id',
    summary: 'One item, open or cleared.',
    role: 'viewer',
    params: AttentionParams,
    unknown: 'attention_unknown',
    responses: { 200: AttentionItem },
    errors: ['attention_unknown'],
  },
  answerAttention: {
    method: 'POST',
    path: '/api/attention/:id/answer',
    summary: 'Answer what the agent asks; written down before the agent is told.',
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
    summary: 'Take an item off the list; the agent goes on waiting.',
    role: 'operator',
    params: AttentionParams,
    unknown: 'attention_unknown',
    responses: { 200: AttentionItem },
    errors: ['attention_unknown', 'attention_cleared'],
  },
} as const satisfies Record<string, Endpoint>;
