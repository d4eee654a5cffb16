/** One inbox over everything: where a person is needed, what is asked, what can be answered. */
import { z } from 'zod';
import { Reason } from './reasons.ts';
import { SessionName } from './session-name.ts';
import { Subject, SubjectRef } from './subject.ts';
import { TaskName } from './tasks/task-name.ts';

/** One question of the agent, with what it offers. */
export const AskedQuestion = z.object({
  question: z.string(),
  header: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string() })),
  multi_select: z.boolean(),
});
export type AskedQuestion = z.infer<typeof AskedQuestion>;

/** What the agent waits for a word on, exactly as it asked. */
export const AgentRequest = z.object({
  tool: z.string(),
  /** The tool's input as the agent sent it. */
  input: z.record(z.string(), z.unknown()),
  questions: z.array(AskedQuestion),
});
export type AgentRequest = z.infer<typeof AgentRequest>;

export const AttentionOutcome = z.enum([
  /** By a person, through the daemon. */
  'answered',
  /** In the terminal, or the agent went on by itself. */
  'resolved',
  'dismissed',
  /** The session, its agent, its task or the daemon ended. */
  'gone',
]);
export type AttentionOutcome = z.infer<typeof AttentionOutcome>;

export const AttentionItem = z.object({
  id: z.string(),
  /** A session or a task. */
  subject: Subject,
  /** The same in two fields, one of them null. */
  session: SessionName.nullable(),
  task: TaskName.nullable(),
  reason: Reason,
  /** One line: what is asked or wrong. */
  title: z.string(),
  /** The exact lines that say so. */
  detail: z.string().nullable(),
  /** Present when it can be answered here, without the terminal. */
  request: AgentRequest.nullable(),
  raised_at: z.iso.datetime(),
  cleared_at: z.iso.datetime().nullable(),
  outcome: AttentionOutcome.nullable(),
  /** Who answered or dismissed it, and what was said. */
  by: z.string().nullable(),
  answer: z.string().nullable(),
});
export type AttentionItem = z.infer<typeof AttentionItem>;

/** Takes `allow` or `deny`; an edited input or answers go with `allow`, a message with `deny`. */
export const AttentionAnswer = z
  .strictObject({
    decision: z.enum(['allow', 'deny']),
    message: z.string().max(4_000).optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    /** Question → the label chosen, labels for several, or words of one's own. */
    answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  })
  .refine(({ decision, input, answers }) => decision === 'allow' || !(input ?? answers), {
    message: 'an edited input or answers require "allow"',
  });
export type AttentionAnswer = z.infer<typeof AttentionAnswer>;

/** How many items one answer may hold; as many cleared ones are kept. */
const MAX_ITEMS = 1_000;

export const AttentionQuery = z.strictObject({
  state: z.enum(['open', 'all']).default('open'),
  /** Only what is about this one. */
  subject: SubjectRef.optional(),
  limit: z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(MAX_ITEMS))
    .default(100),
});

export const AttentionPage = z.object({
  items: z.array(AttentionItem),
  /** Open items, also those beyond the limit. */
  open: z.int().min(0),
});
export type AttentionPage = z.infer<typeof AttentionPage>;
