/** Past and current loops as clients read them: outcome, evidence and where the time went. */
import { z } from 'zod';
import { AgentKind } from '../agents/agent-kind.ts';
import { Evidence } from '../events/evidence.ts';
import { Unproven } from './loop-check.ts';
import { Reason } from '../reasons.ts';
import { SessionName } from '../session-name.ts';

/** Loops in one answer. */
const MAX_RUNS = 200;

/** Where the time of a loop went; the four add up to its length. */
export const LoopSeconds = z.object({
  working: z.number().min(0),
  /** The agent waits for a person, or the loop is starting or stopping. */
  waiting: z.number().min(0),
  /** Until a usage limit resets. */
  quota: z.number().min(0),
  /** From a stall, a failed request or a crash until the agent works again. */
  recovering: z.number().min(0),
});
export type LoopSeconds = z.infer<typeof LoopSeconds>;

const Share = LoopSeconds.keyof();

/** A person, or its own start or stop. */
export const WaitsFor = z.enum(['person', 'start', 'stop']);
export type WaitsFor = z.infer<typeof WaitsFor>;

export const PastLoop = z.object({
  /** Null, like `task_dir` and `agent`, when the beginning is no longer in the log. */
  run_id: z.string().nullable(),
  session: SessionName,
  task_dir: z.string().nullable(),
  agent: AgentKind.nullable(),
  /** For an incomplete loop: its oldest event still in the log. */
  started_at: z.iso.datetime(),
  /** Null while it runs. */
  ended_at: z.iso.datetime().nullable(),
  outcome: z.enum(['ended', 'failed']).nullable(),
  reason: Reason.nullable(),
  /** Why an end as completed is not proven; null when it is, or was not checked. */
  unproven: Unproven.nullable(),
  evidence: z.array(Evidence),
  error: z.string().nullable(),
  iterations: z.int().min(0),
  /** Total restarts and recoveries, including forgiven ones. */
  restart_count: z.int().min(0),
  recovery_count: z.int().min(0),
  seconds: LoopSeconds,
  /** Where its time goes now; null when it is over. */
  current_share: Share.nullable(),
  /** What it waits for while its time goes to waiting; null otherwise. */
  waits_for: WaitsFor.nullable(),
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
  /** The seconds of a running loop are counted up to this time. */
  as_of: z.iso.datetime(),
  /** Newest first. */
  runs: z.array(PastLoop),
});
export type HistoryPage = z.infer<typeof HistoryPage>;
