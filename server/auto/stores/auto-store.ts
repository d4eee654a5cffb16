/** Rows of `task_auto`: the state of one loop each, read and written whole. No business rule. */
import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { taskAuto } from '../../db/schema.ts';
import { messageOf } from '../../lib/app-error.ts';
import type { LoopState } from '../machine/loop-state.ts';
import { type StoredLoop, toRow, toState, unreadable } from './stored-loop.ts';

export class AutoStore {
  readonly #query: Database['query'];
  readonly #save;

  constructor({ query }: Pick<Database, 'query'>) {
    this.#query = query;
    // All loops are saved together: built once, it costs a third.
    const names = Object.keys(getTableColumns(taskAuto));
    const values = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]));
    const ofSession = eq(taskAuto.sessionName, sql.placeholder('sessionName'));
    this.#save = query.update(taskAuto).set(values).where(ofSession).prepare();
  }

  insert(state: LoopState, wallMs: number): void {
    this.#query.insert(taskAuto).values(toRow(state, wallMs)).run();
  }

  save(state: LoopState, wallMs: number): void {
    this.#save.run(toRow(state, wallMs));
  }

  remove(sessionName: string): void {
    this.#query.delete(taskAuto).where(eq(taskAuto.sessionName, sessionName)).run();
  }

  /**
   * Each row is read independently: one that cannot be read becomes a failed loop and blocks no
   * other.
   */
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
