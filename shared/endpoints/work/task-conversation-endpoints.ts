/** The conversation with a task: input, its queue, interactions, the stream. */
import { z } from 'zod';
import { Conversation, Interaction } from '../../schema/tasks/interaction.ts';
import { InteractionQuery } from '../../schema/tasks/task.ts';
import {
  MAX_TASK_INPUT_BYTES,
  SendTaskInput,
  SentTaskInput,
  TaskInputQueue,
} from '../../schema/tasks/task-input.ts';
import type { Endpoint } from '../endpoint.ts';
import { TASK_BY_NAME, TASK_PATH } from './task-params.ts';

export const TASK_TALK_ENDPOINTS = {
  sendTaskInput: {
    method: 'POST',
    path: `${TASK_PATH}/user-input`,
    aliases: [`${TASK_PATH}/set-input`],
    summary: 'Send an input to a task; delivered once, before any automatic prompt.',
    role: 'operator',
    maxBytes: MAX_TASK_INPUT_BYTES,
    ...TASK_BY_NAME,
    body: SendTaskInput,
    responses: { 200: SentTaskInput },
    errors: ['task_unknown'],
  },
  getTaskInputs: {
    method: 'GET',
    path: `${TASK_PATH}/user-input/status`,
    aliases: [`${TASK_PATH}/input-queue-status`],
    summary: 'List the pending and recent inputs of a task.',
    role: 'viewer',
    ...TASK_BY_NAME,
    responses: { 200: TaskInputQueue },
    errors: ['task_unknown'],
  },
  cancelTaskInput: {
    method: 'DELETE',
    path: `${TASK_PATH}/user-input/:input`,
    summary: 'Cancel an input that was not sent yet.',
    role: 'operator',
    ...TASK_BY_NAME,
    params: TASK_BY_NAME.params.extend({ input: z.string() }),
    responses: { 200: z.object({ message: z.string() }) },
    errors: ['task_unknown', 'input_unknown', 'input_not_held'],
  },
  getConversation: {
    method: 'GET',
    path: `${TASK_PATH}/interactions`,
    aliases: [`${TASK_PATH}/conversation`],
    summary:
      'Get the conversation of a task in pages, oldest first; the newest page without a cursor.',
    role: 'viewer',
    ...TASK_BY_NAME,
    query: InteractionQuery,
    responses: { 200: Conversation },
    errors: ['task_unknown'],
  },
  streamTask: {
    method: 'GET',
    path: `${TASK_PATH}/stream`,
    summary: 'Stream the conversation and status of a task (SSE); ends with the task.',
    role: 'viewer',
    ...TASK_BY_NAME,
    mediaType: 'text/event-stream',
    responses: { 200: z.string() },
    errors: ['task_unknown'],
  },
  editInteraction: {
    method: 'PUT',
    path: '/api/v1/interactions/:id',
    summary: 'Edit a user entry in the conversation record; the agent is not notified.',
    role: 'operator',
    params: z.object({
      id: z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    }),
    unknown: 'interaction_unknown',
    body: z.strictObject({ content: z.string().min(1).max(30_000) }),
    responses: {
      200: z.object({
        message: z.string(),
        interaction: Interaction.pick({ id: true, type: true, content: true, timestamp: true }),
      }),
    },
    errors: ['interaction_unknown', 'not_editable', 'wrong_task_status'],
  },
} as const satisfies Record<string, Endpoint>;
