/** Rows of `task_auto`: one loop's state each, read and written whole. No business rule. */
import { asc, eq } from 'drizzle-orm';
import { z } from 'zod';
import {
  SignalCheckpoint,
  SignalNext,
  SignalResult,
  SignalStep,
} from '../../shared/schema/loops/auto-signal.ts';
import { Evidence } from '../../shared/schema/evidence.ts';
import { LoopStatus } from '../../shared/schema/model.ts';
import { Reason } from '../../shared/schema/reasons.ts';
import type { Database } from '../db/database.ts';
import { taskAuto } from '../db/schema.ts';
import { messageOf } from '../lib/app-error.ts';
import { toIso } from '../lib/clock.ts';
import { freshLoop } from './fresh-loop.ts';
import type { LoopState } from './machine/loop-state.ts';

type Row = typeof taskAuto.$inferSelect;

/** A state and the wall time at which its clock was read. */
export interface StoredLoop {
  state: LoopState;
  savedAtMs: number;
}

/** Whether both would be stored alike, but for the loop's clock, which is stored now and then. */
export function isSameRow(one: LoopState, other: LoopState): boolean {
  return JSON.stringify(lasting(one)) === JSON.stringify(lasting(other));
}

function lasting({ ageMs, idleSinceMs, picture, recovering, ...state }: LoopState) {
  return state;
}

export class AutoStore {
  readonly #query: Database['query'];

  constructor(database: Database) {
    this.#query = database.query;
  }

  insert(state: LoopState, wallMs: number): void {
    this.#query.insert(taskAuto).values(toRow(state, wallMs)).run();
  }

  save(state: LoopState, wallMs: number): void {
    const { sessionName, ...columns } = toRow(state, wallMs);
    this.#query.update(taskAuto).set(columns).where(eq(taskAuto.sessionName, sessionName)).run();
  }

  remove(sessionName: string): void {
    this.#query.delete(taskAuto).where(eq(taskAuto.sessionName, sessionName)).run();
  }

  /** Every row on its own: one that cannot be read is a failed loop and holds no other up. */
  load(): StoredLoop[] {
    const rows = this.#query.select().from(taskAuto).orderBy(asc(taskAuto.sessionName)).all();
    return rows.map((row) => {
      try {
        return toState(row);
      } catch (error) {
        const problem = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
        return { state: unreadable(row, problem), savedAtMs: 0 };
      }
    });
  }
}

/** Columns the published table leaves nullable, and enumerations that any program may have written. */
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

/** Text that holds JSON of this. */
function json<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
}

const StoredEvidence = json(z.array(Evidence));

const StoredStop = z.object({
  reason: Reason,
  by: z.enum(['person', 'daemon', 'agent']),
  author: z.string(),
  step: z.enum(['asked', 'interrupt', 'kill']),
  requestedAt: z.string(),
  evidence: StoredEvidence,
});

const StoredWait = z.object({
  reason: Reason,
  since: z.string(),
  until: z.string().nullable(),
  evidence: StoredEvidence,
});

const StoredQuota = json(
  z.object({
    sinceMs: z.number(),
    untilMs: z.number().nullable(),
    nudges: z.int().min(0),
    nudgedAtMs: z.number().nullable(),
    workingSinceMs: z.number().nullable(),
  }),
);

function toState(row: Row): StoredLoop {
  const published = PublishedColumns.parse(row);
  const { iterationCount: iteration, ...rest } = published;
  const state: LoopState = {
    ...rest,
    iteration,
    sessionName: row.sessionName,
    runId: row.runId,
    startedBy: row.startedBy,
    agent: row.agent,
    taskDir: row.taskDir,
    dirIdentity: row.dirIdentity,
    iterationBase: row.iterationBase,
    restartIteration: row.restartIteration,
    countUnknown: row.countUnknown,
    lastSignal:
      row.lastStep === ''
        ? null
        : LastSignal.parse({
            step: row.lastStep,
            result: row.lastResult,
            next: row.lastNext,
            checkpoint: row.lastCheckpoint,
          }),
    lastSignalAt: row.lastSignalAt === '' ? null : row.lastSignalAt,
    signalMark: row.signalMark,
    launchCount: row.launchCount,
    agentProcess: row.agentPid === 0 ? null : { pid: row.agentPid, startedAt: row.agentStartedAt },
    stop:
      row.stopReason === ''
        ? null
        : StoredStop.parse({
            reason: row.stopReason,
            by: row.stopBy,
            author: row.stopAuthor,
            step: row.stopStep,
            requestedAt: row.stopRequestedAt,
            evidence: row.stopEvidence,
          }),
    wait:
      row.waitReason === ''
        ? null
        : StoredWait.parse({
            reason: row.waitReason,
            since: row.waitSince,
            until: row.waitUntil === '' ? null : row.waitUntil,
            evidence: row.waitEvidence,
          }),
    ageMs: row.ageMs,
    dueMs: row.dueMs,
    quota: row.quota === '' ? null : StoredQuota.parse(row.quota),
    quotaWaitTotalMs: row.quotaWaitTotalMs,
    error: row.error === '' ? null : row.error,
    idleSinceMs: null,
    picture: null,
    recovering: null,
  };
  // A row of the published table has no clock of its own yet: its start is its zero.
  const savedAtMs = Date.parse(row.ageAt === '' ? published.startedAt : row.ageAt);
  if (Number.isNaN(savedAtMs)) throw new Error(`"${row.ageAt}" is not a time`);
  return { state, savedAtMs };
}

/** What is left of a row that cannot be understood: where it stands, and why it is of no use. */
function unreadable(row: Row, problem: string): LoopState {
  return {
    ...freshLoop({ sessionName: row.sessionName, taskDir: row.taskDir, startedAt: toIso(0) }),
    status: 'failed',
    stop: {
      reason: 'corrupt_record',
      by: 'daemon',
      author: '',
      requestedAt: toIso(0),
      step: 'asked',
      evidence: [],
    },
    error: `the stored loop cannot be read: ${problem}`,
  };
}

function toRow(state: LoopState, wallMs: number): Omit<Row, 'lastCaptureHash' | 'stallCount'> {
  const { iteration, lastSignal, agentProcess, stop, wait, ...rest } = state;
  const { quota, idleSinceMs, picture, recovering, ...same } = rest;
  return {
    ...same,
    iterationCount: iteration,
    lastStep: lastSignal?.step ?? '',
    lastResult: lastSignal?.result ?? '',
    lastNext: lastSignal?.next ?? '',
    lastCheckpoint: lastSignal?.checkpoint ?? '',
    agentPid: agentProcess?.pid ?? 0,
    agentStartedAt: agentProcess?.startedAt ?? '',
    stopReason: stop?.reason ?? '',
    stopBy: stop?.by ?? '',
    stopAuthor: stop?.author ?? '',
    stopStep: stop?.step ?? '',
    stopRequestedAt: stop?.requestedAt ?? '',
    waitReason: wait?.reason ?? '',
    stopEvidence: JSON.stringify(stop?.evidence ?? []),
    waitSince: wait?.since ?? '',
    waitUntil: wait?.until ?? '',
    waitEvidence: JSON.stringify(wait?.evidence ?? []),
    quota: quota === null ? '' : JSON.stringify(quota),
    quotaWaitSince: quota === null ? '' : (wait?.since ?? ''),
    ageMs: Math.round(state.ageMs),
    quotaWaitTotalMs: Math.round(state.quotaWaitTotalMs),
    dueMs: state.dueMs === null ? null : Math.round(state.dueMs),
    ageAt: toIso(wallMs),
    error: state.error ?? '',
  };
}
