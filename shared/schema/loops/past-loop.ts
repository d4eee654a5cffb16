/** The runs of loops as clients read them: how each went, why it ended, where its time went. */
import { z } from 'zod';
import { AgentKind } from '../agent-kind.ts';
import { Evidence } from '../evidence.ts';
import { Reason } from '../reasons.ts';
import { SessionName } from '../session-name.ts';

/** How many runs one answer may hold. */
const MAX_RUNS = 200;

/** What the time of a run went into; the four add up to its length. */
export const LoopSeconds = z.object({
  working: z.number().min(0),
  /** The agent waits for a person, or the loop starts or stops. */
  waiting: z.number().min(0),
  /** For a usage limit to be over. */
  quota: z.number().min(0),
  /** From a stall, a failed request or a crash until the agent was at work again. */
  recovering: z.number().min(0),
});
export type LoopSeconds = z.infer<typeof LoopSeconds>;

const Share = LoopSeconds.keyof();

export const PastLoop = z.object({
  /** Null when the beginning is no longer in the log; so are `task_dir` and `agent` then. */
  run_id: z.string().nullable(),
  session: SessionName,
  task_dir: z.string().nullable(),
  agent: AgentKind.nullable(),
  /** Of an incomplete run: the oldest event of it that is kept. */
  started_at: z.iso.datetime(),
  /** Null while it goes on. */
  ended_at: z.iso.datetime().nullable(),
  outcome: z.enum(['ended', 'failed']).nullable(),
  reason: Reason.nullable(),
  evidence: z.array(Evidence),
  error: z.string().nullable(),
  iterations: z.int().min(0),
  /** Restarts and recoveries in all, forgiven ones included. */
  restart_count: z.int().min(0),
  recovery_count: z.int().min(0),
  seconds: LoopSeconds,
  /** What its time goes into now; null when it is over. */
  current_share: Share.nullable(),
  /** False when the log no longer holds its beginning. */
  complete: z.boolean(),
});
export type PastLoop = z.infer<typeof PastLoop>;

export const HistoryQuery = z.strictObject({
  session: SessionName.optional(),
  limit: z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(MAX_RUNS))
    .default(20),
});

export const HistoryPage = z.object({
  /** The moment up to which the seconds of a run that goes on are counted. */
  as_of: z.iso.datetime(),
  /** Newest first. */
  runs: z.array(PastLoop),
});
export type HistoryPage = z.infer<typeof HistoryPage>;
