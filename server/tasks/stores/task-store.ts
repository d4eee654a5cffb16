/** Rows of `tasks`, read and written whole. No business rule. */
import { asc, eq } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { tasks } from '../../db/task-schema.ts';
import type { TaskRecord } from './task-record.ts';
import { readTaskRow } from './read-task-row.ts';

export class TaskStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  insert(task: TaskRecord): void {
    const { id, name, projectId, createdBy, createdAt } = task;
    const row = {
      id,
      taskName: name,
      nameKey: name.toLowerCase(),
      sessionId: projectId,
      createdBy,
      createdAt,
    };
    this.#query
      .insert(tasks)
      .values({ ...row, ...changing(task) })
      .run();
  }

  save(task: TaskRecord): void {
    this.#query.update(tasks).set(changing(task)).where(eq(tasks.id, task.id)).run();
  }

  remove(id: string): void {
    this.#query.delete(tasks).where(eq(tasks.id, id)).run();
  }

  /** Oldest first; one that cannot be read is a failed one. */
  load(): TaskRecord[] {
    const rows = this.#query.select().from(tasks).orderBy(asc(tasks.createdAt)).all();
    return rows.map(readTaskRow);
  }
}

function changing({ plan, state, updatedAt }: TaskRecord) {
  return {
    plan: JSON.stringify(plan),
    rootFolder: plan.rootFolder,
    status: state.status,
    state: JSON.stringify(state),
    updatedAt,
  };
}
