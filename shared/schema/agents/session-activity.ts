/** What an agent in a terminal does, as its client's transcript says it: calls, files, todos. */
import { z } from 'zod';

/** A place in a transcript: which file it is, an offset in bytes, and whether a line reaches over it. */
const Place = z.string().regex(/^\d{1,20}:\d{1,20}@\d{1,15}\+?$/);

export const TODO_STATUSES = ['pending', 'in_progress', 'completed'] as const;

const Todo = z.object({ text: z.string(), status: z.enum(TODO_STATUSES) });

export const AgentStep = z.object({
  /** Of the call, as its client names it; unique in a transcript. */
  id: z.string(),
  at: z.iso.datetime().nullable(),
  tool: z.string(),
  /** The file, command or pattern it is about, in one line. */
  subject: z.string().nullable(),
  /** The file it reads or changes. */
  file: z.string().nullable(),
  changes: z.boolean(),
  /** It starts a subagent of that type. */
  subagent: z.string().nullable(),
  /** A subagent made the call. */
  is_by_subagent: z.boolean(),
  /** The whole list of the agent, where the call writes it. */
  todos: z.array(Todo).nullable(),
  /** One step of its list, where the call writes one; what it does not say is null. */
  todo: z
    .object({
      /** Null for a new one: its result names it. */
      id: z.string().nullable(),
      text: z.string().nullable(),
      status: z.enum(TODO_STATUSES).nullable(),
    })
    .nullable(),
});
export type AgentStep = z.infer<typeof AgentStep>;

/** How a call ended; it may be on another page than the call. */
export const StepResult = z.object({
  id: z.string(),
  failed: z.boolean(),
  /** The step of its list that the call created. */
  todo: z.string().nullable(),
});
export type StepResult = z.infer<typeof StepResult>;

export const ActivityQuery = z
  .strictObject({
    /** `older` of an answer: what is before it. */
    before: Place.optional(),
    /** `newer` of an answer: what was appended since. */
    after: Place.optional(),
    /** The id of the call that started a subagent: its calls instead, from a transcript of its own. */
    subagent: z.string().min(1).max(200).optional(),
  })
  .refine(({ before, after }) => before === undefined || after === undefined, {
    message: 'before and after cannot be combined',
  });
export type ActivityQuery = z.output<typeof ActivityQuery>;

export const SessionActivity = z.object({
  /**
   * `no_agent`: none was seen here. `no_conversation`: its client names none, so that it has no
   * transcript. `other_client`: only transcripts of Claude Code are read. `no_transcript`: nothing is
   * written yet, or a subagent has none of its own. `gone`: what was read before is not there any more.
   */
  status: z.enum(['shown', 'no_agent', 'no_conversation', 'other_client', 'no_transcript', 'gone']),
  /** Null where none is known. */
  conversation: z.string().nullable(),
  /** False: the steps are not before or after what was asked for, but the newest of another file. */
  is_continued: z.boolean(),
  /** Oldest first. */
  steps: z.array(AgentStep),
  results: z.array(StepResult),
  /** Null: nothing is before these steps. */
  older: Place.nullable(),
  newer: Place.nullable(),
});
export type SessionActivity = z.infer<typeof SessionActivity>;
