/** Rows of `worktrees`. No business rule. */
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { worktrees } from '../db/task-schema.ts';

export type WorktreeRecord = typeof worktrees.$inferSelect;

export class WorktreeStore {
  readonly #query: Database['query'];

  /** Prepared once: runs for each line of a list. */
  readonly #of: ReturnType<typeof prepareOf>;

  constructor({ query }: Database) {
    this.#query = query;
    this.#of = prepareOf(query);
  }

  /** Oldest first, as all lists here. */
  all(): WorktreeRecord[] {
    return this.#query
      .select()
      .from(worktrees)
      .orderBy(asc(sql`rowid`))
      .all();
  }

  of(owner: string): WorktreeRecord[] {
    return this.#of.all({ owner });
  }

  atPath(path: string): WorktreeRecord | null {
    const there = eq(worktrees.path, path);
    return this.#query.select().from(worktrees).where(there).get() ?? null;
  }

  onBranch(repository: string, branch: string): WorktreeRecord | null {
    const same = and(eq(worktrees.repository, repository), eq(worktrees.branch, branch));
    return this.#query.select().from(worktrees).where(same).get() ?? null;
  }

  insert(record: WorktreeRecord): void {
    this.#query.insert(worktrees).values(record).run();
  }

  setState(id: string, state: WorktreeRecord['state']): void {
    this.#query.update(worktrees).set({ state }).where(eq(worktrees.id, id)).run();
  }

  /** Null: it has to be set up. */
  setSetUpAt(id: string, setUpAt: string | null): void {
    this.#query.update(worktrees).set({ setUpAt }).where(eq(worktrees.id, id)).run();
  }

  delete(id: string): void {
    this.#query.delete(worktrees).where(eq(worktrees.id, id)).run();
  }
}

function prepareOf(query: Database['query']) {
  const own = eq(worktrees.owner, sql.placeholder('owner'));
  const rows = query.select().from(worktrees).where(own);
  return rows.orderBy(asc(sql`rowid`)).prepare();
}
