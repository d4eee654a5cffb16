/** Rows of `inputs`: input that is or was on its way into a terminal. No business rule. */
import { and, asc, count, desc, eq, inArray, lt, notInArray } from 'drizzle-orm';
import type { Delivery, InputSource } from '../../../shared/schema/attention/delivery.ts';
import { DeliveryReason } from '../../../shared/schema/attention/delivery.ts';
import type { Input } from '../../../shared/schema/model.ts';
import type { Database } from '../../db/database.ts';
import { inputs } from '../../db/schema.ts';
import type { Program } from './program.ts';

/** Settled inputs of one session that are still listed. */
const KEPT_PER_SESSION = 200;
const OPEN: Delivery[] = ['held', 'delivering'];

export interface NewInput {
  session: string;
  text: string;
  submit: boolean;
  source: InputSource;
  /** The name of its author; null for the daemon. */
  author: string | null;
  /** The program it was submitted to; null when no terminal was open. */
  program: Program | null;
  /** A supervisor's own name for it. */
  tag?: string;
  at: string;
}

/** An input with its program, which rows of older versions lack. */
export interface StoredInput extends Input {
  program: Program | null;
}

export class InputStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  /** Stores an input as held and returns its id; ids increase. */
  insert(input: NewInput): number {
    const { at, program, ...columns } = input;
    const belongsTo = program === null ? null : JSON.stringify(program);
    const row = {
      ...columns,
      program: belongsTo,
      delivery: 'held' as const,
      createdAt: at,
      changedAt: at,
    };
    return this.#query.insert(inputs).values(row).returning({ id: inputs.id }).get().id;
  }

  get(session: string, id: number): Input | null {
    const of = and(eq(inputs.session, session), eq(inputs.id, id));
    const row = this.#query.select().from(inputs).where(of).get();
    return row === undefined ? null : toInput(row);
  }

  /** Null: no such input was stored, or it is older than those listed. */
  tagged(session: string, tag: string): Input | null {
    const of = and(eq(inputs.session, session), eq(inputs.tag, tag));
    const row = this.#query.select().from(inputs).where(of).get();
    return row === undefined ? null : toInput(row);
  }

  /** The inputs of a session, newest first. */
  list(session: string): Input[] {
    const of = eq(inputs.session, session);
    return this.#query.select().from(inputs).where(of).orderBy(desc(inputs.id)).all().map(toInput);
  }

  /** Held or being typed, in the order of typing: people first. */
  open(session?: string): StoredInput[] {
    const open = inArray(inputs.delivery, OPEN);
    const of = session === undefined ? open : and(open, eq(inputs.session, session));
    const rows = this.#query.select().from(inputs).where(of).orderBy(asc(inputs.id)).all();
    const all = rows.map((row) => ({ ...toInput(row), program: programOf(row) }));
    return [
      ...all.filter(({ source }) => source === 'person'),
      ...all.filter(({ source }) => source === 'daemon'),
    ];
  }

  /** How many inputs of all sessions have each of these states. */
  count<Each extends Delivery>(deliveries: readonly Each[]): Record<Each, number> {
    const rows = this.#query
      .select({ delivery: inputs.delivery, count: count() })
      .from(inputs)
      .where(inArray(inputs.delivery, [...deliveries]))
      .groupBy(inputs.delivery)
      .all();
    const found = new Map<string, number>(rows.map((row) => [row.delivery, row.count]));
    const counted = deliveries.map((delivery) => [delivery, found.get(delivery) ?? 0]);
    return Object.fromEntries(counted) as Record<Each, number>;
  }

  patch(id: number, delivery: Delivery, reason: DeliveryReason | null, at: string): void {
    const columns = { delivery, reason: reason ?? '', changedAt: at };
    this.#query.update(inputs).set(columns).where(eq(inputs.id, id)).run();
  }

  /** Removes the settled inputs of a session older than those listed. */
  prune(session: string): void {
    const settled = and(eq(inputs.session, session), notInArray(inputs.delivery, OPEN));
    const oldest = this.#query
      .select({ id: inputs.id })
      .from(inputs)
      .where(settled)
      .orderBy(desc(inputs.id))
      .offset(KEPT_PER_SESSION - 1)
      .limit(1)
      .get();
    if (oldest !== undefined) {
      this.#query
        .delete(inputs)
        .where(and(settled, lt(inputs.id, oldest.id)))
        .run();
    }
  }

  removeSession(session: string): void {
    this.#query.delete(inputs).where(eq(inputs.session, session)).run();
  }
}

function programOf({ program }: typeof inputs.$inferSelect): Program | null {
  return program === null ? null : (JSON.parse(program) as Program);
}

function toInput(row: typeof inputs.$inferSelect): Input {
  const { createdAt, changedAt, reason, program: _, tag: __, ...columns } = row;
  return {
    ...columns,
    reason: reason === '' ? null : DeliveryReason.parse(reason),
    created_at: createdAt,
    changed_at: changedAt,
  };
}
