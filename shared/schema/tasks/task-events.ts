/** The events of tasks. `task` is the task's name. */
import { z } from 'zod';
import { Author } from '../people/people-events.ts';
import { Reason } from '../reasons.ts';
import { InteractionType } from './interaction.ts';
import { ContextStep } from './context-step.ts';
import { WORKTREE_ACTIONS } from './project.ts';
import { TaskInputState } from './task-input.ts';
import { TaskStatus } from './task-status.ts';

const task = z.string();

export const TASK_EVENTS = {
  'task.created': z.object({
    task,
    root_folder: z.string(),
    branch_name: z.string().nullable(),
    author: Author,
  }),
  'task.status': z.object({
    task,
    status: TaskStatus,
    before: TaskStatus,
    reason: Reason.nullable(),
    /** The end of its wait, if known. */
    until: z.iso.datetime().nullable(),
    error: z.string().nullable(),
    author: Author,
  }),
  /** A person changed it: description, limits, position in the queue. */
  'task.changed': z.object({ task, author: Author }),
  /** Queued, it cannot begin yet: another host or task works there, or its fleet cannot be reached. */
  'task.held': z.object({
    task,
    reason: z.enum(['claimed', 'fleet_unreachable']),
    detail: z.string(),
  }),
  'task.deleted': z.object({ task, kept: z.array(z.string()), author: Author }),
  'task.worktree': z.object({
    task,
    action: z.enum(WORKTREE_ACTIONS),
    path: z.string(),
    branch: z.string(),
    /** The ref that keeps work held by nothing else. */
    backup_ref: z.string().nullable(),
    /** Of a setup: its command, how long it took, or why it failed. */
    detail: z.string().optional(),
  }),
  /** Its work was merged into a local branch. */
  'task.merged': z.object({ task, into: z.string(), commit: z.string(), author: Author }),
  'task.interaction': z.object({
    task,
    id: z.int(),
    type: InteractionType,
    turn: z.int(),
    tool: z.string().nullable(),
    /** The first 300 characters. */
    preview: z.string(),
    output_tokens: z.int().nullable(),
    cost_usd: z.number().nullable(),
  }),
  /** Its conversation was compacted, or a new one takes over, because the context was so full. */
  'task.context': z.object({ task, step: ContextStep, percent: z.number() }),
  'task.input_queued': z.object({
    task,
    id: z.string(),
    preview: z.string(),
    interrupt: z.boolean(),
    author: Author,
  }),
  'task.input_delivered': z.object({ task, id: z.string(), state: TaskInputState }),
  'task.criteria': z.object({
    task,
    by: z.enum(['model', 'heuristic']),
    accepted: z.boolean(),
    confidence: z.number().nullable(),
    reasoning: z.string(),
  }),
  'task.tests': z.object({
    task,
    id: z.int(),
    type: z.enum(['regression', 'gate']),
    name: z.string(),
    status: z.enum(['pending', 'passed', 'failed', 'skipped']),
    exit_code: z.int().nullable(),
    duration_ms: z.int().nullable(),
    commit: z.string().nullable(),
  }),
} as const;
