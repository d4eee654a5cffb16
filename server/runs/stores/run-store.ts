/** Rows of `runs`, read and written whole. No business rule. */
import { asc, eq } from 'drizzle-orm';
import { z } from 'zod';
import { runTitle } from '../../../shared/rules/work/run-title.ts';
import { RunPhase, RunStage } from '../../../shared/schema/runs/run-phase.ts';
import { StartRun } from '../../../shared/schema/runs/run-requests.ts';
import type { Database } from '../../db/database.ts';
import { runs } from '../../db/run-schema.ts';
import { messageOf } from '../../lib/app-error.ts';
import { freshRun } from '../machine/fresh-run.ts';
import type { RunState } from '../machine/run-state.ts';
import { statusOf } from '../machine/step.ts';
import type { RunRecord, RunRequest } from './run-record.ts';

/** Enough to distinguish a record from remains; rows written by the daemon itself are complete. */
const StoredState = z.looseObject({
  phase: RunPhase,
  iteration: z.int(),
  now: z.looseObject({ stage: RunStage }),
  next: z.looseObject({ kind: z.string() }),
  spent: z.record(z.string(), z.looseObject({ activeMs: z.number() })),
  rounds: z.array(z.looseObject({})),
  signatures: z.array(z.string()),
  startedAt: z.string(),
});
const StoredRequest = z.looseObject({
  options: StartRun,
  directory: z.string(),
  isRepository: z.boolean(),
});

export class RunStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  insert(run: RunRecord): void {
    const { id, createdBy, createdAt } = run;
    const row = { id, createdBy, createdAt, ...changing(run) };
    this.#query.insert(runs).values(row).run();
  }

  save(run: RunRecord): void {
    this.#query.update(runs).set(changing(run)).where(eq(runs.id, run.id)).run();
  }

  remove(id: string): void {
    this.#query.delete(runs).where(eq(runs.id, id)).run();
  }

  /** Null for one that is not stored. */
  titleOf(id: string): string | null {
    const row = this.#query.select().from(runs).where(eq(runs.id, id)).get();
    return row === undefined ? null : runTitle(readRow(row).request.options.prompt);
  }

  /** Oldest first; one that cannot be read is a failed one that says why. */
  load(): RunRecord[] {
    return this.#query.select().from(runs).orderBy(asc(runs.createdAt)).all().map(readRow);
  }
}

function changing({ request, state, agentPlan, acceptedPlan, updatedAt }: RunRecord) {
  return {
    status: statusOf(state.now),
    phase: state.phase,
    request: JSON.stringify(request),
    state: JSON.stringify(state),
    agentPlan,
    acceptedPlan,
    updatedAt,
  };
}

function readRow(row: typeof runs.$inferSelect): RunRecord {
  const { id, agentPlan, acceptedPlan, createdBy, createdAt, updatedAt } = row;
  const known = { id, agentPlan, acceptedPlan, createdBy, createdAt, updatedAt };
  let request: RunRequest = {
    options: StartRun.parse({ prompt: '(unreadable)' }),
    directory: '/',
    isRepository: false,
  };
  try {
    request = checked(StoredRequest, row.request) as RunRequest;
    return { ...known, request, state: checked(StoredState, row.state) as RunState };
  } catch (error) {
    const why = `cannot read the stored run: ${messageOf(error)}`;
    const state = freshRun(Date.parse(createdAt));
    const result = { status: 'failed', reason: 'corrupt_record', error: why } as const;
    return { ...known, request, state: { ...state, now: { stage: 'over', result } } };
  }
}

/** Validated, and returned as stored. */
function checked(schema: z.ZodType, text: string): unknown {
  const value: unknown = JSON.parse(text);
  schema.parse(value);
  return value;
}
