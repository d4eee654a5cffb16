/** The work of a task: its worktrees, their state, what it changed. */
import { z } from 'zod';
import {
  BranchName,
  MergeCheck,
  TaskMergePreview,
  WorkDiffs,
  WorkStates,
} from '../../schema/tasks/project.ts';
import { EventSeq } from '../../schema/events/event-seq.ts';
import type { Endpoint } from '../endpoint.ts';
import { REMOVAL_ERRORS, TASK_BY_NAME, TASK_PATH, TaskMessage } from './task-params.ts';

const MERGE_ERRORS = ['task_unknown', 'no_worktree', 'branch_missing', 'git_failed'] as const;
/** The main directory of a repository; only needed by a task that works in several. */
const Repository = z.string().min(1).max(4_096).optional();

export const TASK_WORK_ENDPOINTS = {
  deleteWorktree: {
    method: 'DELETE',
    path: `${TASK_PATH}/worktree`,
    summary: 'Remove the worktrees of a task but keep the task.',
    role: 'operator',
    ...TASK_BY_NAME,
    query: z.strictObject({ auto_stop: z.stringbool().default(false) }),
    responses: {
      200: TaskMessage.extend({
        task_preserved: z.literal(true),
        auto_stopped: z.boolean(),
        cleanup_performed: z.boolean(),
        git_cleanup: z.array(z.string()),
      }),
    },
    errors: ['task_unknown', 'wrong_task_status', 'no_worktree', ...REMOVAL_ERRORS],
  },
  getWorktree: {
    method: 'GET',
    path: `${TASK_PATH}/worktree`,
    summary: 'Get the state of the worktrees and what removing them would do.',
    role: 'viewer',
    ...TASK_BY_NAME,
    responses: { 200: WorkStates },
    errors: ['task_unknown', 'git_failed'],
  },
  getTaskDiff: {
    method: 'GET',
    path: `${TASK_PATH}/diff`,
    summary: 'Get the changes of a task since its branch started.',
    role: 'viewer',
    ...TASK_BY_NAME,
    responses: { 200: WorkDiffs },
    errors: ['task_unknown', 'git_failed'],
  },
  previewTaskMerge: {
    method: 'GET',
    path: `${TASK_PATH}/merge`,
    summary: 'Preview a merge of a task into a local branch; changes nothing.',
    role: 'viewer',
    ...TASK_BY_NAME,
    query: z.strictObject({ into: BranchName, repository: Repository }),
    responses: { 200: TaskMergePreview },
    errors: [...MERGE_ERRORS],
  },
  mergeTask: {
    method: 'POST',
    path: `${TASK_PATH}/merge`,
    summary: 'Merge the work of a task into a local branch after its checks pass on the result.',
    role: 'operator',
    ...TASK_BY_NAME,
    body: z.strictObject({
      into: BranchName,
      squash: z.boolean().default(false),
      /** Of the commit; by default it names the task. */
      message: z.string().trim().min(1).max(10_000).optional(),
      repository: Repository,
    }),
    responses: {
      200: TaskMessage.extend({ commit: z.string(), checks: z.array(MergeCheck), seq: EventSeq }),
    },
    errors: [
      ...MERGE_ERRORS,
      'wrong_task_status',
      'merge_conflict',
      'merge_refused',
      'branch_in_use',
    ],
  },
} as const satisfies Record<string, Endpoint>;
