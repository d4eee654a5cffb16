/** Time at work by day, subject, project and person. Part of the caller's transaction. */
import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { usageWorked } from '../db/usage-schema.ts';
import type { BudgetedWork } from './budgeted-work.ts';

export class WorkedTime {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  /** `day`: in UTC. */
  add({ subject, project, person }: BudgetedWork, workedMs: number, day: string): void {
    const about = { day, subjectKind: subject.kind, subjectId: subject.id, project, person };
    const {
      day: ofDay,
      subjectKind,
      subjectId,
      project: ofProject,
      person: ofPerson,
    } = usageWorked;
    this.#query
      .insert(usageWorked)
      .values({ ...about, workedMs })
      .onConflictDoUpdate({
        target: [ofDay, subjectKind, subjectId, ofProject, ofPerson],
        set: { workedMs: sql`${usageWorked.workedMs} + ${workedMs}` },
      })
      .run();
  }
}
