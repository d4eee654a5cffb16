/** Rows of `test_cases`: what the host ran for a task. No business rule. */
import { asc, eq } from 'drizzle-orm';
import type { TestCase } from '../../../shared/schema/tasks/task.ts';
import type { Database } from '../../db/database.ts';
import { testCases } from '../../db/task-schema.ts';

export type NewTestCase = Pick<TestCase, 'type' | 'name' | 'command' | 'commit' | 'at'>;
export type TestResult = Pick<TestCase, 'status' | 'exit_code' | 'output' | 'duration_ms'>;

export class TestCaseStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  /** Earlier tests are removed: they were of another commit. */
  replace(taskId: string, cases: readonly NewTestCase[]): TestCase[] {
    this.removeOf(taskId);
    if (cases.length === 0) return [];
    const rows = cases.map((each) => ({ ...each, taskId, status: 'pending' as const }));
    return this.#query.insert(testCases).values(rows).returning().all().map(toTestCase);
  }

  finish(id: number, { status, exit_code, output, duration_ms }: TestResult): void {
    const changed = { status, output, exitCode: exit_code, durationMs: duration_ms };
    this.#query.update(testCases).set(changed).where(eq(testCases.id, id)).run();
  }

  of(taskId: string): TestCase[] {
    const rows = this.#query.select().from(testCases).where(eq(testCases.taskId, taskId));
    return rows.orderBy(asc(testCases.id)).all().map(toTestCase);
  }

  removeOf(taskId: string): void {
    this.#query.delete(testCases).where(eq(testCases.taskId, taskId)).run();
  }
}

function toTestCase(row: typeof testCases.$inferSelect): TestCase {
  const { id, type, name, command, status, output, commit, at } = row;
  return {
    id,
    type,
    name,
    command,
    status,
    output,
    commit,
    at,
    exit_code: row.exitCode,
    duration_ms: row.durationMs,
  };
}
