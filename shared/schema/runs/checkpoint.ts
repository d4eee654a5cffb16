/**
 * What a phased run keeps in `sessions/<id>/checkpoint.json`. Fields that are not listed here belong
 * to someone else: they are read, kept and written back.
 */
import { z } from 'zod';

/** Versions above it were written by a newer Loopwatch. */
export const CHECKPOINT_VERSION = 1;

/** Also the name of a directory: no dots, no separators. */
export const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
export const RunId = z.string().regex(RUN_ID);

export const RunPhase = z.enum(['plan', 'execute', 'review', 'fix', 'complete']);
export type RunPhase = z.infer<typeof RunPhase>;

/** UTC with Z. A file of another program may have an offset: the same moment is kept. */
const Time = z.iso.datetime({ offset: true }).overwrite((text) => {
  const atMs = Date.parse(text);
  // Also runs on a text that is no time, which is refused afterwards.
  return text.endsWith('Z') || Number.isNaN(atMs) ? text : new Date(atMs).toISOString();
});

const count = z.int().min(0).default(0);
const optionalText = z.string().nullable().default(null);
const fullText = z.string().default('');

export const RunEvent = z.union([
  z.looseObject({ Text: z.string() }),
  z.looseObject({
    Tool: z.looseObject({
      name: z.string(),
      /** As the agent gave them: JSON in a text. */
      params: z.string(),
      done: z.boolean(),
      output: z.string().nullish(),
      is_error: z.boolean(),
    }),
  }),
  z.looseObject({
    ToolProgress: z.looseObject({ tool_name: z.string(), elapsed_secs: z.number() }),
  }),
  // Of another program.
  z.looseObject({}),
]);
export type RunEvent = z.infer<typeof RunEvent>;

const events = z.array(RunEvent).default(() => []);

const RunLine = z.looseObject({
  text: z.string(),
  /** Seconds since the session started. */
  timestamp: z.number(),
  status: z.string(),
  section: z.string().nullish(),
});

const ChecklistItem = z.looseObject({
  passed: z.boolean(),
  message: z.string(),
  details: z.string().nullish(),
});

export const Checkpoint = z.looseObject({
  version: z.literal(CHECKPOINT_VERSION),
  session_id: RunId,
  checkpoint_time: Time,
  original_start_time: Time,
  phase: RunPhase,
  /** Seconds since `original_start_time` when the phase began. */
  phase_started_offset: z.number().min(0).default(0),
  /** Fix rounds that were begun. */
  iteration: count,
  model: z.string().default(''),

  /** The conversations of the phases; `claude` is the plan. */
  claude_session_id: optionalText,
  exec_session_id: optionalText,
  review_session_id: optionalText,
  fix_session_id: optionalText,

  claude_events: events,
  claude_full_text: fullText,
  exec_events: events,
  exec_full_text: fullText,
  review_events: events,
  review_full_text: fullText,
  fix_events: events,
  fix_full_text: fullText,

  /** Events that were delivered. A resume delivers again from here: at least once. */
  plan_cursor: count,
  exec_cursor: count,
  review_cursor: count,
  fix_cursor: count,

  lines: z.array(RunLine).default(() => []),
  plan_path: optionalText,
  /** The last result of each check, by its name. */
  last_checklist: z.record(z.string(), ChecklistItem).nullable().default(null),
  working_dir: z.string().min(1),
  force_stopped: z.boolean().default(false),
  force_stop_reason: optionalText,

  /** What the person asked for. */
  prompt: z.string().default(''),
  usage: z
    .looseObject({
      input_tokens: count,
      output_tokens: count,
      cost_usd: z.number().min(0).default(0),
    })
    .prefault({}),
  stuck: z
    .looseObject({
      /** Of the failures of each round, oldest first. */
      signatures: z.array(z.string()).default(() => []),
      /** Rounds in a row that changed no file. */
      unchanged_rounds: count,
    })
    .prefault({}),
  completed_at: Time.nullable().default(null),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** What a list shows of a session. */
export const CheckpointSummary = z.object({
  session_id: RunId,
  checkpoint_time: z.string(),
  original_start_time: z.string(),
  phase: RunPhase,
  iteration: z.number(),
  model: z.string(),
  working_dir: z.string(),
  /** Its first 200 bytes. */
  prompt: z.string(),
  force_stopped: z.boolean(),
  force_stop_reason: z.string().nullable(),
  completed_at: z.string().nullable(),
  cost_usd: z.number(),
});
export type CheckpointSummary = z.infer<typeof CheckpointSummary>;

/**
 * `stale` and `invalid_directory`: it can be read, but not resumed as it is. The others: it cannot
 * be read, and `version` and `unreadable` say nothing about its worth.
 */
const SessionProblemKind = z.enum([
  'corrupt',
  'version',
  'unreadable',
  'invalid_directory',
  'stale',
]);

export const SessionProblem = z.object({
  id: z.string(),
  problem: SessionProblemKind,
  message: z.string(),
  /** When its checkpoint was last written; null when that is not known. */
  modified_at: z.string().nullable(),
});
export type SessionProblem = z.infer<typeof SessionProblem>;

export const SessionList = z.object({
  sessions: z.array(CheckpointSummary),
  problems: z.array(SessionProblem),
});
export type SessionList = z.infer<typeof SessionList>;
