/** Input from people to a task's agent: in order, at most once, before anything automatic. */
import { z } from 'zod';

export const TaskInputState = z.enum([
  'queued',
  /** Sent to the agent's process, not confirmed yet. */
  'sending',
  'delivered',
  /** The daemon died while sending, so it may or may not have arrived. Never sent again. */
  'unknown',
  'cancelled',
]);
export type TaskInputState = z.infer<typeof TaskInputState>;

export const TaskInput = z.object({
  id: z.string(),
  /** The first 50 characters. */
  input_preview: z.string(),
  timestamp: z.iso.datetime(),
  state: TaskInputState,
  /** No longer queued. */
  processed: z.boolean(),
  processed_at: z.iso.datetime().nullable(),
  interrupt: z.boolean(),
  images: z.int(),
  author: z.string().nullable(),
});
export type TaskInput = z.infer<typeof TaskInput>;

const MAX_INPUT_CHARACTERS = 30_000;
const MAX_IMAGES = 5;
const MAX_IMAGE_CHARACTERS = 2_000_000;
/** Of the whole request, with its images. */
export const MAX_TASK_INPUT_BYTES = MAX_IMAGES * MAX_IMAGE_CHARACTERS + 256 * 1024;

export const TaskImage = z.strictObject({
  base64: z.base64().min(1).max(MAX_IMAGE_CHARACTERS),
  media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
});
export type TaskImage = z.infer<typeof TaskImage>;

export const SendTaskInput = z.strictObject({
  input: z
    .string()
    .max(MAX_INPUT_CHARACTERS)
    .refine((text) => text.trim() !== '' && !text.includes('\0'), { message: 'must not be empty' }),
  images: z.array(TaskImage).max(MAX_IMAGES).optional(),
  /** Interrupt the current turn, so that this is delivered now. */
  interrupt: z.boolean().default(false),
  /** Resume the task with it, if its status allows that. */
  resume: z.boolean().default(false),
});
export type SendTaskInput = z.output<typeof SendTaskInput>;

export const SentTaskInput = z.object({
  message: z.string(),
  task_name: z.string(),
  id: z.string().nullable(),
  /** The first 100 characters. */
  input_preview: z.string(),
  queue_priority: z.literal('HIGH'),
  /** It will be sent without further action. */
  guaranteed_processing: z.boolean(),
  immediate_processing: z.boolean(),
  task_executor_restarted: z.boolean(),
  processing_type: z.enum(['REAL_TIME_INTERRUPT', 'EXECUTOR_RESTART', 'QUEUED_FOR_EXECUTOR']),
  /** Why it was not queued: the same text is already waiting. */
  blocked_reason: z.literal('duplicate').optional(),
});
export type SentTaskInput = z.infer<typeof SentTaskInput>;

export const TaskInputQueue = z.object({
  task_name: z.string(),
  total_inputs: z.int(),
  pending_inputs: z.int(),
  processed_inputs: z.int(),
  has_pending: z.boolean(),
  /** The last five. */
  queue_preview: z.array(TaskInput),
});
export type TaskInputQueue = z.infer<typeof TaskInputQueue>;
