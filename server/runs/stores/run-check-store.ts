/** Rows of `run_checks`: what the host ran for a run. No business rule. */
import { and, asc, eq } from 'drizzle-orm';
import type { RunCheck } from '../../../shared/schema/runs/run.ts';
import type { Database } from '../../db/database.ts';
import { runChecks } from '../../db/run-schema.ts';

export type NewRunCheck = Pick<RunCheck, 'type' | 'name' | 'command' | 'commit' | 'at'>;
export type RunCheckResult = Pick<RunCheck, 'status' | 'exit_code' | 'output' | 'duration_ms'>;

export class RunCheckStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  /** Those of a round that is checked again are replaced. */
  plan(run: string, iteration: number, checks: readonly NewRunCheck[]): RunCheck[] {
    const round = and(eq(runChecks.run, run), eq(runChecks.iteration, iteration));
    this.#query.delete(runChecks).where(round).run();
    if (checks.length === 0) return [];
    const rows = checks.map((each) => ({ ...each, run, iteration, status: 'pending' as const }));
    return this.#query.insert(runChecks).values(rows).returning().all().map(toCheck);
  }

  finish(id: number, { status, exit_code, output, duration_ms }: RunCheckResult): void {
    const changed = { status, output, exitCode: exit_code, durationMs: duration_ms };
    this.#query.update(runChecks).set(changed).where(eq(runChecks.id, id)).run();
  }

  /** Oldest first; of one round, or of all. */
  of(run: string, iteration?: number): RunCheck[] {
    const all = eq(runChecks.run, run);
    const where = iteration === undefined ? all : and(all, eq(runChecks.iteration, iteration));
    const rows = this.#query.select().from(runChecks).where(where);
    return rows.orderBy(asc(runChecks.id)).all().map(toCheck);
  }

  removeOf(run: string): void {
    this.#query.delete(runChecks).where(eq(runChecks.run, run)).run();
  }
}

function toCheck(row: typeof runChecks.$inferSelect): RunCheck {
  const { exitCode: exit_code, durationMs: duration_ms, ...same } = row;
  return { ...same, exit_code, duration_ms };
}
