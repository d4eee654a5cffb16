/**
 * A loop in its row: published columns that other programs read and may have written, and one JSON
 * column with the rest.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  SignalCheckpoint,
  SignalNext,
  SignalResult,
  SignalStep,
} from '../../../shared/schema/loops/auto-signal.ts';
import { Actor } from '../../../shared/schema/loops/auto-events.ts';
import { Evidence } from '../../../shared/schema/events/evidence.ts';
import { LoopPermissions } from '../../../shared/schema/loops/loop-permissions.ts';
import { LoopStatus } from '../../../shared/schema/model.ts';
import { Reason } from '../../../shared/schema/reasons.ts';
import type { taskAuto } from '../../db/schema.ts';
import { toIso } from '../../lib/clock.ts';
import { freshLoop } from '../machine/fresh-loop.ts';
import { type LoopState, NOTHING } from '../machine/loop-state.ts';
import { nowOf, publishedWait, unrecorded } from './stored-now.ts';

type Row = typeof taskAuto.$inferSelect;

/** A state and the wall time at which its clock was read. */
export interface StoredLoop {
  state: LoopState;
  savedAtMs: number;
}

/**
 * Whether both would be stored alike, except for what is stored with the clocks of all loops: the
 * clock, and what is published of the last snapshot. Every observation asks, and most share all
 * their parts.
 */
export function isSameRow(one: LoopState, other: LoopState): boolean {
  const [kept, now] = [lasting(one), lasting(other)];
  return (Object.keys(kept) as (keyof typeof kept)[]).every(
    (name) =>
      Object.is(kept[name], now[name]) || JSON.stringify(kept[name]) === JSON.stringify(now[name]),
  );
}

function lasting({ ageMs, idleSinceMs, snapshot, recovering, ...state }: LoopState) {
  return state;
}

/**
 * Columns that the published table leaves nullable, and enumerations that any program may have
 * written.
 */
const PublishedColumns = z.object({
  status: LoopStatus.exclude(['stopped']),
  maxIterations: z.int().min(1),
  timeoutMinutes: z.int().min(1),
  iterationCount: z.int().min(0),
  restartCount: z.int().min(0),
  recoveryCountStep: z.int().min(0),
  recoveryCountTotal: z.int().min(0),
  startedAt: z.string(),
});

const LastSignal = z.object({
  step: SignalStep,
  result: SignalResult,
  next: SignalNext,
  checkpoint: SignalCheckpoint,
});

const StoredStop = z.object({
  reason: Reason,
  by: z.enum([...Actor.options, 'agent']),
  author: z.string(),
  step: z.enum(['asked', 'interrupt', 'kill']),
  requestedAt: z.string(),
  evidence: z.array(Evidence),
});

const StoredWait = z.object({
  reason: Reason,
  since: z.string(),
  until: z.string().nullable(),
  evidence: z.array(Evidence),
});

const StoredQuota = z.object({
  sinceMs: z.number(),
  untilMs: z.number().nullable(),
  nudges: z.int().min(0),
  nudgedAtMs: z.number().nullable(),
  workingSinceMs: z.number().nullable(),
});

const StoredProgress = z.object({
  content: z.string(),
  calls: z.array(z.string()),
  unchanged: z.int().min(0),
});

/** What has no column. Absent in rows of the published table. */
const StoredState = z.object({
  startedBy: z.string().default(''),
  statusSince: z.string().nullable().default(null),
  permissions: LoopPermissions.nullable().default(null),
  iterationBase: z.int().default(0),
  restartIteration: z.int().default(0),
  countUnknown: z.boolean().default(false),
  lastSignal: LastSignal.nullable().default(null),
  signalMark: z.string().default(''),
  launchCount: z.int().default(0),
  agentProcess: z.object({ pid: z.int(), startedAt: z.string() }).nullable().default(null),
  stop: StoredStop.nullable().default(null),
  check: z
    .object({ failed: z.array(Evidence).nullable() })
    .nullable()
    .default(null),
  sentBack: z.int().min(0).default(0),
  wait: StoredWait.nullable().default(null),
  quota: StoredQuota.nullable().default(null),
  quotaWaitTotalMs: z.number().default(0),
  error: z.string().nullable().default(null),
  progress: StoredProgress.nullable().default(null),
  ageMs: z.number().default(0),
  dueMs: z.number().nullable().default(null),
  /** The wall time at which `ageMs` was read. */
  savedAt: z.string().nullable().default(null),
});

/** Throws when it cannot be read. */
export function toState(row: Row): StoredLoop {
  const { sessionName, taskDir, runId, agent, dirIdentity } = row;
  const { iterationCount: iteration, status, ...published } = PublishedColumns.parse(row);
  const { savedAt, stop, check, wait, quota, dueMs, ...stored } = StoredState.parse(
    JSON.parse(row.state),
  );
  const lastSignalAt = row.lastSignalAt === '' ? null : row.lastSignalAt;
  const known = { sessionName, taskDir, runId, agent, dirIdentity, iteration, lastSignalAt };
  // A row of the published table has no clock of its own yet: its start is its zero.
  const savedAtMs = Date.parse(savedAt ?? published.startedAt);
  if (Number.isNaN(savedAtMs)) throw new Error(`"${savedAt ?? ''}" is not a time`);
  const now =
    (quota === null ? publishedWait(row.quotaWaitSince, savedAtMs) : null) ??
    nowOf(status, { stop, check, wait, quota, dueMs }, stored.ageMs, published.startedAt);
  return { state: freshLoop({ ...known, ...published, ...stored }, now), savedAtMs };
}

/** What remains of an unreadable row: its session and directory, and why it is unusable. */
export function unreadable(row: Row, problem: string): LoopState {
  const { sessionName, taskDir } = row;
  const startedAt = toIso(0);
  const error = `cannot read the stored loop: ${problem}`;
  const stop = unrecorded('corrupt_record', startedAt);
  return freshLoop(
    { sessionName, taskDir, startedAt, error },
    { ...NOTHING, status: 'failed', stop },
  );
}

/** For readers of the table: a daemon compares snapshots in memory and starts fresh. */
function hashOf(mark: string): string {
  return createHash('sha256').update(mark).digest('hex');
}

export function toRow(state: LoopState, wallMs: number): Row {
  const { sessionName, taskDir, status, maxIterations, timeoutMinutes, ...others } = lasting(state);
  const { iteration, recoveryCountStep, recoveryCountTotal, restartCount, ...rest } = others;
  const { startedAt, lastSignalAt, runId, agent, dirIdentity, ...stored } = rest;
  const whole = {
    ageMs: Math.round(state.ageMs),
    dueMs: state.dueMs === null ? null : Math.round(state.dueMs),
    quotaWaitTotalMs: Math.round(state.quotaWaitTotalMs),
    savedAt: toIso(wallMs),
  };
  return {
    sessionName,
    taskDir,
    status,
    maxIterations,
    timeoutMinutes,
    iterationCount: iteration,
    recoveryCountStep,
    recoveryCountTotal,
    lastCaptureHash: state.snapshot === null ? '' : hashOf(state.snapshot.mark),
    stallCount: state.snapshot?.repeats ?? 0,
    quotaWaitSince: state.quota === null ? '' : state.wait.since,
    startedAt,
    lastSignalAt,
    restartCount,
    runId,
    agent,
    dirIdentity,
    state: JSON.stringify({ ...stored, ...whole }),
  };
}
