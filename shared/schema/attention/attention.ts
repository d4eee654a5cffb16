/** One inbox for everything that needs a person: the request, and whether it can be answered. */
import { z } from 'zod';
import { Reason } from '../reasons.ts';
import { SessionName } from '../session-name.ts';
import { Subject, SubjectRef } from '../events/subject.ts';
import { TaskName } from '../tasks/task-name.ts';

/** One question of the agent, with its choices. */
export const AskedQuestion = z.object({
  question: z.string(),
  header: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string() })),
  multi_select: z.boolean(),
});
export type AskedQuestion = z.infer<typeof AskedQuestion>;

/** The agent's request, exactly as it asked. */
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
  /** In the terminal, or the agent continued on its own. */
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
  /** What a run is called; absent for other subjects, and once it is deleted. */
  run_title: z.string().optional(),
  reason: Reason,
  /** One line: the question or the problem. */
  title: z.string(),
  /** The exact lines that show it. */
  detail: z.string().nullable(),
  /** Present when it can be answered without the terminal. */
  request: AgentRequest.nullable(),
  raised_at: z.iso.datetime(),
  /** When a rule raised its priority, because no person had answered. */
  escalated_at: z.iso.datetime().optional(),
  cleared_at: z.iso.datetime().nullable(),
  outcome: AttentionOutcome.nullable(),
  /** Who answered or dismissed it, and the answer. */
  by: z.string().nullable(),
  answer: z.string().nullable(),
});
export type AttentionItem = z.infer<typeof AttentionItem>;

/** An edited input or answers go with `allow`, a message with `deny`. */
export const AttentionAnswer = z
  .strictObject({
    decision: z.enum(['allow', 'deny']),
    message: z.string().max(4_000).optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    /** Question → the chosen label, several labels, or free text. */
    answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  })
  .refine(({ decision, input, answers }) => decision === 'allow' || !(input ?? answers), {
    message: 'an edited input or answers require "allow"',
  });
export type AttentionAnswer = z.infer<typeof AttentionAnswer>;

/** Items in one answer; the same number of closed ones is kept. */
const MAX_ITEMS = 1_000;

export const AttentionQuery = z.strictObject({
  state: z.enum(['open', 'all']).default('open'),
  /** Only items about this one. */
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
  /** Open items, including those beyond the limit. */
  open: z.int().min(0),
});
export type AttentionPage = z.infer<typeof AttentionPage>;
