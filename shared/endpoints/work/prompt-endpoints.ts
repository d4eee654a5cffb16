/** The prompt library. */
import { z } from 'zod';
import { CreatePrompt, Prompt, PromptQuery, UpdatePrompt } from '../../schema/tasks/prompt.ts';
import type { Endpoint } from '../endpoint.ts';

const PROMPT_BY_ID = { params: z.object({ id: z.uuid() }), unknown: 'prompt_unknown' } as const;

export const PROMPT_ENDPOINTS = {
  createPrompt: {
    method: 'POST',
    path: '/api/v1/prompts',
    summary: 'Save a prompt.',
    role: 'operator',
    maxBytes: 512 * 1024,
    body: CreatePrompt,
    responses: { 201: Prompt },
    errors: [],
  },
  listPrompts: {
    method: 'GET',
    path: '/api/v1/prompts',
    summary: 'List prompts, most used first, then most recently used.',
    role: 'viewer',
    query: PromptQuery,
    responses: { 200: z.array(Prompt) },
    errors: [],
  },
  getPrompt: {
    method: 'GET',
    path: '/api/v1/prompts/:id',
    summary: 'Get a prompt.',
    role: 'viewer',
    ...PROMPT_BY_ID,
    responses: { 200: Prompt },
    errors: ['prompt_unknown'],
  },
  updatePrompt: {
    method: 'PUT',
    path: '/api/v1/prompts/:id',
    summary: 'Update a prompt; omitted or null fields are unchanged.',
    role: 'operator',
    maxBytes: 512 * 1024,
    ...PROMPT_BY_ID,
    body: UpdatePrompt,
    responses: { 200: Prompt },
    errors: ['prompt_unknown'],
  },
  deletePrompt: {
    method: 'DELETE',
    path: '/api/v1/prompts/:id',
    summary: 'Delete a prompt.',
    role: 'operator',
    ...PROMPT_BY_ID,
    responses: { 200: z.object({ message: z.string() }) },
    errors: ['prompt_unknown'],
  },
  usePrompt: {
    method: 'POST',
    path: '/api/v1/prompts/:id/use',
    summary: 'Increment the use count of a prompt.',
    role: 'operator',
    ...PROMPT_BY_ID,
    responses: { 200: Prompt },
    errors: ['prompt_unknown'],
  },
} as const satisfies Record<string, Endpoint>;
