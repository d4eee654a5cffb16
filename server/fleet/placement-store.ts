/** Rows of `placements`: which host a task was sent to, stored before it is sent. No business rule. */
import { eq, sql } from 'drizzle-orm';
import { Handover } from '../../shared/schema/tasks/placement.ts';
import type { Database } from '../db/database.ts';
import { placements } from '../db/task-schema.ts';
import { parseJson } from '../lib/parse-json.ts';

/** More than anyone repeats after. */
const MAX_ROWS = 10_000;

export interface PlacementRecord {
  /** Of the task. */
  id: string;
  /** Of what was asked. */
  hash: string;
  /** Id of the chosen host. */
  host: string;
  handover: Handover;
}

export class PlacementStore {
  readonly #query: Database['query'];

  constructor({ query }: Pick<Database, 'query'>) {
    this.#query = query;
  }

  get(id: string): PlacementRecord | null {
    const row = this.#query.select().from(placements).where(eq(placements.id, id)).get();
    // A backup of unknown origin may hold anything.
    const handover = Handover.safeParse(parseJson(row?.handover ?? '')).data;
    return row === undefined || handover === undefined ? null : { ...row, handover };
  }

  /** Replaces one with the same id; the oldest ones are forgotten. */
  save({ handover, ...record }: PlacementRecord): void {
    const row = { ...record, handover: JSON.stringify(handover) };
    const insert = this.#query.insert(placements).values(row);
    insert.onConflictDoUpdate({ target: placements.id, set: row }).run();
    this.#query.run(
      sql`DELETE FROM placements WHERE rowid <= (SELECT max(rowid) FROM placements) - ${MAX_ROWS}`,
    );
  }

  remove(id: string): void {
    this.#query.delete(placements).where(eq(placements.id, id)).run();
  }
}
