/** Create, list, start, stop, retry, copy, remove. Wire names match the published contract. */
import { z } from 'zod';
import { EventSeq } from '../../schema/events/event-seq.ts';
import {
  CreateTask,
  RetryQuery,
  Task,
  TaskQuery,
  TaskStatusView,
  UpdateTask,
} from '../../schema/tasks/task.ts';
import { TaskName } from '../../schema/tasks/task-name.ts';
import type { Endpoint } from '../endpoint.ts';
import { REMOVAL_ERRORS, TASK_BY_NAME, TASK_PATH, TaskMessage } from './task-params.ts';

/** `queued`: it starts when a slot is free. */
const Started = TaskMessage.extend({ status: z.enum(['running', 'queued']), seq: EventSeq });
const TaskId = { params: z.object({ id: z.uuid() }), unknown: 'task_unknown' } as const;

const PLACE_ERRORS = [
  'outside_roots',
  'project_missing',
  'not_a_repository',
  'branch_missing',
  'branch_in_use',
  'project_busy',
  'worktree_needed',
  'git_too_old',
  'dependency_unknown',
  'dependency_cycle',
  'worktree_failed',
  'git_failed',
] as const;

export const TASK_ENDPOINTS = {
  createTask: {
    method: 'POST',
    path: '/api/v1/tasks',
    summary:
      'Create a task and its worktrees, here or on a host of the fleet; optionally start it.',
    role: 'operator',
    maxBytes: 512 * 1024,
    body: CreateTask,
    responses: { 200: Task },
    errors: [
      'task_exists',
      ...PLACE_ERRORS,
      'task_id_taken',
      'task_unknown',
      'host_unknown',
      'no_host_fits',
      'host_unreachable',
      'outcome_unknown',
    ],
  },
  listTasks: {
    method: 'GET',
    path: '/api/v1/tasks',
    summary: 'List tasks, without their conversations.',
    role: 'viewer',
    copied: '?limit=1000',
    query: TaskQuery,
    responses: { 200: z.array(Task) },
    errors: [],
  },
  deleteTasks: {
    method: 'POST',
    path: '/api/v1/tasks/batch-delete',
    summary: 'Delete several tasks; each has its own result.',
    role: 'operator',
    body: z.strictObject({
      task_names: z.array(TaskName).min(1).max(100),
      cleanup_worktree: z.boolean().default(true),
    }),
    responses: {
      200: z.object({
        total: z.int(),
        successful: z.int(),
        failed: z.int(),
        results: z.array(
          z.object({ task_name: z.string(), success: z.boolean(), message: z.string() }),
        ),
      }),
    },
    errors: [],
  },
  getTask: {
    method: 'GET',
    path: TASK_PATH,
    summary: 'Get a task with its tests and the newest conversation entries.',
    role: 'viewer',
    ...TASK_BY_NAME,
    responses: { 200: Task },
    errors: ['task_unknown'],
  },
  getTaskById: {
    method: 'GET',
    path: '/api/v1/tasks/:id',
    summary: 'Same as by name, by id.',
    role: 'viewer',
    ...TaskId,
    responses: { 200: Task },
    errors: ['task_unknown'],
  },
  getTaskStatus: {
    method: 'GET',
    path: `${TASK_PATH}/status`,
    summary: 'Get the status of a task in short.',
    role: 'viewer',
    ...TASK_BY_NAME,
    responses: { 200: TaskStatusView },
    errors: ['task_unknown'],
  },
  getTaskStatusById: {
    method: 'GET',
    path: '/api/v1/tasks/:id/status',
    summary: 'Same as by name, by id.',
    role: 'viewer',
    ...TaskId,
    responses: { 200: TaskStatusView },
    errors: ['task_unknown'],
  },
  updateTask: {
    method: 'PUT',
    path: TASK_PATH,
    summary: 'Update a task; where it works can only change before it starts.',
    role: 'operator',
    maxBytes: 512 * 1024,
    ...TASK_BY_NAME,
    body: UpdateTask,
    responses: { 200: Task },
    errors: ['task_unknown', 'wrong_task_status', ...PLACE_ERRORS],
  },
  startTask: {
    method: 'POST',
    path: `${TASK_PATH}/start`,
    summary: 'Start a pending task as soon as a slot is free.',
    role: 'operator',
    ...TASK_BY_NAME,
    responses: { 200: Started },
    errors: ['task_unknown', 'wrong_task_status', 'project_busy'],
  },
  stopTask: {
    method: 'POST',
    path: `${TASK_PATH}/stop`,
    summary: 'Stop a task; branch, worktree and conversation are kept.',
    role: 'operator',
    ...TASK_BY_NAME,
    responses: {
      200: z.object({
        message: z.string(),
        status: z.literal('stopped'),
        process_killed: z.boolean(),
        termination_method: z.enum(['none', 'SIGTERM', 'SIGKILL', 'already_gone']),
        cleanup_performed: z.boolean(),
        seq: EventSeq,
      }),
    },
    errors: ['task_unknown', 'wrong_task_status'],
  },
  resumeTask: {
    method: 'POST',
    path: `${TASK_PATH}/resume`,
    summary: 'Resume a stopped or completed task in the same conversation.',
    role: 'operator',
    ...TASK_BY_NAME,
    responses: { 200: Started },
    errors: ['task_unknown', 'wrong_task_status', 'project_busy'],
  },
  recoverTask: {
    method: 'POST',
    path: `${TASK_PATH}/recover`,
    summary: 'Continue in a new conversation seeded with the end of the old one.',
    role: 'operator',
    ...TASK_BY_NAME,
    responses: {
      200: Started.extend({
        previous_session_cleared: z.boolean(),
        conversation_preserved: z.literal(true),
        interactions_count: z.int(),
      }),
    },
    errors: ['task_unknown', 'wrong_task_status', 'project_busy'],
  },
  retryTask: {
    method: 'POST',
    path: `${TASK_PATH}/retry`,
    summary: 'Continue a task that reached a limit; the given amounts are added to what was used.',
    role: 'operator',
    ...TASK_BY_NAME,
    query: RetryQuery,
    responses: {
      200: Started.extend({
        new_limits: z.object({
          max_iterations: z.int(),
          max_tokens: z.int().nullable(),
          max_cost_usd: z.number().nullable(),
          max_minutes: z.int().nullable(),
        }),
      }),
    },
    errors: ['task_unknown', 'wrong_task_status', 'project_busy'],
  },
  clearAndRestartTask: {
    method: 'POST',
    path: `${TASK_PATH}/clear-and-restart`,
    summary: 'Discard the conversation, keep the work under a backup ref and restart.',
    role: 'operator',
    ...TASK_BY_NAME,
    responses: {
      200: Started.extend({ deleted_interactions: z.int(), git_cleanup: z.array(z.string()) }),
    },
    errors: ['task_unknown', ...REMOVAL_ERRORS, 'worktree_failed', 'project_busy'],
  },
  cloneTask: {
    method: 'POST',
    path: `${TASK_PATH}/clone`,
    summary:
      'Create a pending task with the same description, without its branch, work or conversation.',
    role: 'operator',
    ...TASK_BY_NAME,
    query: z.strictObject({ new_name: TaskName.optional() }),
    responses: {
      200: z.object({
        message: z.string(),
        original_task: z.string(),
        new_task: z.string(),
        new_task_id: z.string(),
        task: Task,
      }),
    },
    errors: ['task_unknown', 'task_exists', ...PLACE_ERRORS],
  },
  deleteTask: {
    method: 'DELETE',
    path: TASK_PATH,
    summary: 'Delete a task; it is stopped, and its work is committed and kept.',
    role: 'operator',
    ...TASK_BY_NAME,
    query: z.strictObject({ cleanup_worktree: z.stringbool().default(true) }),
    responses: { 200: TaskMessage.extend({ worktree_cleanup: z.array(z.string()).optional() }) },
    errors: ['task_unknown', ...REMOVAL_ERRORS],
  },
} as const satisfies Record<string, Endpoint>;
