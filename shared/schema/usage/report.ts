/** The morning report: every unit of work that was open in an interval, and what needs a person. */
import { z } from 'zod';
import { WaitsFor } from '../loops/past-loop.ts';
import { RespawnBlock } from '../loops/respawn.ts';
import { Reason } from '../reasons.ts';
import { UsageFigures } from './usage.ts';

export const REPORT_KINDS = ['loop', 'task', 'run', 'respawn', 'session', 'found'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** Where the time of a unit went; they add up to the time it was open in the interval. */
export const ReportSeconds = z.object({
  working: z.number().min(0),
  /** Only a person could end the wait. */
  waiting: z.number().min(0),
  /** Until a usage limit reset. */
  quota: z.number().min(0),
  /** From an error or a crash until it worked again. */
  recovering: z.number().min(0),
  /** Not started, starting, or behind other work. */
  queued: z.number().min(0),
  /** Idle, stopping, paused by a person, or between an end and a continuation. */
  stopped: z.number().min(0),
});
export type ReportSeconds = z.infer<typeof ReportSeconds>;

export const ReportShare = ReportSeconds.keyof();
export type ReportShare = z.infer<typeof ReportShare>;

/** Who says that it ended that way. `limit`: a limit or budget that a person had set. */
export const ReportWord = z.enum(['checks', 'model', 'agent', 'person', 'limit', 'daemon']);
export type ReportWord = z.infer<typeof ReportWord>;

/** A page of this daemon, without its address. */
const Link = z.string();

export const ReportProof = z.object({
  state: z.enum(['proven', 'unproven', 'refuted']),
  /** What was checked; null without git. */
  commit: z.string().nullable(),
  checks: z.array(z.object({ name: z.string(), status: z.enum(['passed', 'failed', 'skipped']) })),
});
export type ReportProof = z.infer<typeof ReportProof>;

/** What a branch has that its base has not, with what is in no commit. */
export const ReportBranch = z.object({
  repository: z.string(),
  branch: z.string(),
  base: z.string(),
  commits: z.int(),
  files: z.int(),
  additions: z.int(),
  deletions: z.int(),
  /** Files that are in no commit. */
  uncommitted: z.int(),
});
export type ReportBranch = z.infer<typeof ReportBranch>;

/** One unit of work as the log describes it: in the report and in the history. */
export const WorkUnit = z.object({
  /** `kind:name@seq` of the event that opened it; 0 when that is no longer in the log. */
  id: z.string(),
  kind: z.enum(REPORT_KINDS),
  name: z.string(),
  /** What was asked, its first 500 characters; null where only its conversation says. */
  asked: z.string().nullable(),
  project: z.string().nullable(),
  /** Who started it. */
  by: z.string().nullable(),
  opened_at: z.iso.datetime(),
  /** Null while it is open. */
  closed_at: z.iso.datetime().nullable(),
  /** False: it is older than the log. */
  complete: z.boolean(),
  state: z.enum([...ReportShare.options, 'ended']),
  /** What it waits for: a person, or its own start or stop; null otherwise. */
  waits_for: WaitsFor.nullable(),
  /** Null while it is open. */
  outcome: z.enum(['completed', 'failed', 'stopped', 'exhausted']).nullable(),
  reason: z.union([Reason, RespawnBlock]).nullable(),
  error: z.string().nullable(),
  /** Null while it is open, and where nothing says it. */
  word: ReportWord.nullable(),
  /** The person, where it is the word of one. */
  word_by: z.string().nullable(),
  /** Null where nothing was checked. */
  proof: ReportProof.nullable(),
  /** Of the interval. */
  seconds: ReportSeconds,
  /** Restarts of its agent, and pauses after an error. */
  restarts: z.int(),
  /** The evidence of each claim; null where the log no longer has it. */
  links: z.object({
    itself: Link.nullable(),
    opened: Link.nullable(),
    state: Link.nullable(),
    proof: Link.nullable(),
  }),
});
export type WorkUnit = z.infer<typeof WorkUnit>;

export const ReportUnit = WorkUnit.extend({
  /** Empty for work in a directory without a worktree of its own. */
  branches: z.array(ReportBranch),
  /** Why the branches could not be read. */
  branches_error: z.string().nullable(),
  used: z.object({ interval: UsageFigures, total: UsageFigures }),
  links: WorkUnit.shape.links.extend({ branches: Link.nullable(), used: Link }),
});
export type ReportUnit = z.infer<typeof ReportUnit>;

export const ReportNeed = z.object({
  /**
   * `answer`: work waits for it. `decide`: it ended without a result. `review`: it is done and
   * unproven, or not merged.
   */
  kind: z.enum(['answer', 'decide', 'review']),
  title: z.string(),
  /** What to do. */
  next: z.string(),
  reason: Reason.nullable(),
  since: z.iso.datetime(),
  /** The unit it is about, if that was open in the interval. */
  unit: z.string().nullable(),
  /** Other open work that continues only after this. */
  blocks: z.int(),
  link: Link,
});
export type ReportNeed = z.infer<typeof ReportNeed>;

const Overlap = z.object({
  repository: z.string(),
  branches: z.array(z.string()).length(2),
  /** At most 20. */
  files: z.array(z.string()),
  count: z.int(),
});
export type Overlap = z.infer<typeof Overlap>;

const MergeOrder = z.object({
  repository: z.string(),
  /** The first one first. */
  steps: z.array(
    z.object({
      branch: z.string(),
      unit: z.string(),
      proven: z.boolean(),
      /** Branches before it in this order that change some of the same files. */
      after: z.array(z.string()),
    }),
  ),
});
export type MergeOrder = z.infer<typeof MergeOrder>;

export const ReportAnomaly = z.object({
  kind: z.enum(['cost', 'restarts', 'daemon_down', 'log_cut']),
  unit: z.string().nullable(),
  text: z.string(),
  link: Link.nullable(),
});
export type ReportAnomaly = z.infer<typeof ReportAnomaly>;

export const ReportQuery = z.strictObject({
  /** Default: 12 hours before `until`. */
  since: z.iso.datetime({ offset: true }).optional(),
  /** Default: now. */
  until: z.iso.datetime({ offset: true }).optional(),
  /** `skip` leaves out what git would have to be asked: branches, overlaps, what to merge. */
  branches: z.enum(['read', 'skip']).default('read'),
});
export type ReportQuery = z.output<typeof ReportQuery>;

export const Report = z.object({
  as_of: z.iso.datetime(),
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  /** The current ones, the most valuable first. */
  needs: z.array(ReportNeed),
  units: z.array(ReportUnit),
  totals: z.object({
    completed: z.int(),
    proven: z.int(),
    ended_otherwise: z.int(),
    open: z.int(),
    seconds: ReportSeconds,
    /** In the interval. */
    used: UsageFigures,
  }),
  overlaps: z.array(Overlap),
  merge_orders: z.array(MergeOrder),
  anomalies: z.array(ReportAnomaly),
});
export type Report = z.infer<typeof Report>;
