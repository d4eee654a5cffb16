/** Rows of `task_requests`: which requests for a task with an id were done. No business rule. */
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { taskRequests } from '../../db/task-schema.ts';

/** More than anyone repeats after. */
const MAX_ROWS = 10_000;

export interface TaskRequest {
  /** Of the task. */
  id: string;
  /** Of what was asked. */
  hash: string;
  /** Its worktrees exist, and it was started if that was asked. */
  isWhole: boolean;
}

export class TaskRequestStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  get(id: string): TaskRequest | null {
    const row = this.#query.select().from(taskRequests).where(eq(taskRequests.id, id)).get();
    return row ?? null;
  }

  /** The oldest ones are forgotten. */
  insert(request: TaskRequest): void {
    this.#query.insert(taskRequests).values(request).run();
    this.#query.run(
      sql`DELETE FROM task_requests WHERE rowid <= (SELECT max(rowid) FROM task_requests) - ${MAX_ROWS}`,
    );
  }

  finish(id: string): void {
    this.#query.update(taskRequests).set({ isWhole: true }).where(eq(taskRequests.id, id)).run();
  }

  remove(id: string): void {
    this.#query.delete(taskRequests).where(eq(taskRequests.id, id)).run();
  }
}
