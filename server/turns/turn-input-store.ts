/** Rows of `task_inputs`: people's input to headless work, in order. No business rule. */
import { and, asc, count, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { TaskImage, TaskInput, TaskInputState } from '../../shared/schema/tasks/task-input.ts';
import type { Database } from '../db/database.ts';
import { taskInputs } from '../db/task-schema.ts';

export interface StoredInput {
  id: string;
  taskId: string;
  text: string;
  images: TaskImage[];
  interrupt: boolean;
  author: string | null;
}

/** Without the images, which are large, and without most of the text. */
const SHORT = {
  id: taskInputs.id,
  state: taskInputs.state,
  interrupt: taskInputs.interrupt,
  author: taskInputs.author,
  createdAt: taskInputs.createdAt,
  changedAt: taskInputs.changedAt,
  preview: sql<string>`substr(${taskInputs.text}, 1, 50)`,
  images: sql<number>`json_array_length(${taskInputs.images})`,
};
type ShortRow = Omit<typeof taskInputs.$inferSelect, 'number' | 'taskId' | 'text' | 'images'> & {
  preview: string;
  images: number;
};

export class TurnInputStore {
  readonly #query: Database['query'];
  /** Prepared once: runs at each step of the work and for each line of a list. */
  readonly #next: ReturnType<typeof prepareNext>;

  constructor({ query }: Database) {
    this.#query = query;
    this.#next = prepareNext(query);
  }

  insert(input: StoredInput, at: string): void {
    const images = JSON.stringify(input.images);
    const row = { ...input, images, state: 'queued' as const, createdAt: at, changedAt: at };
    this.#query.insert(taskInputs).values(row).run();
  }

  /** Id of the oldest waiting input, or null. */
  next(taskId: string): string | null {
    return this.#next.get({ taskId })?.id ?? null;
  }

  /** Whether a waiting input interrupts the turn. */
  interrupts(taskId: string): boolean {
    const waits = and(eq(taskInputs.taskId, taskId), eq(taskInputs.state, 'queued'));
    const where = and(waits, eq(taskInputs.interrupt, true));
    const found = this.#query.select({ id: taskInputs.id }).from(taskInputs).where(where).get();
    return found !== undefined;
  }

  /** Ids of those that wait or are being sent. */
  open(taskId: string): string[] {
    const states = ['queued', 'sending'] as const;
    const where = and(eq(taskInputs.taskId, taskId), inArray(taskInputs.state, [...states]));
    const rows = this.#query.select({ id: taskInputs.id }).from(taskInputs).where(where).all();
    return rows.map(({ id }) => id);
  }

  get(id: string): (StoredInput & { state: TaskInputState }) | null {
    const row = this.#query.select().from(taskInputs).where(eq(taskInputs.id, id)).get();
    if (row === undefined) return null;
    return { ...row, images: JSON.parse(row.images) as TaskImage[] };
  }

  setState(id: string, state: TaskInputState, at: string): void {
    const changed = { state, changedAt: at };
    this.#query.update(taskInputs).set(changed).where(eq(taskInputs.id, id)).run();
  }

  /** Whether the same text, sent since then, is waiting already. */
  waits(taskId: string, text: string, since: string): boolean {
    const same = and(
      eq(taskInputs.taskId, taskId),
      eq(taskInputs.state, 'queued'),
      eq(taskInputs.text, text),
      gt(taskInputs.createdAt, since),
    );
    return (
      this.#query.select({ id: taskInputs.id }).from(taskInputs).where(same).get() !== undefined
    );
  }

  count(taskId: string): { total: number; pending: number } {
    const of = eq(taskInputs.taskId, taskId);
    const waits = and(of, eq(taskInputs.state, 'queued'));
    const n = (where: typeof of | typeof waits) =>
      this.#query.select({ n: count() }).from(taskInputs).where(where).get()?.n ?? 0;
    return { total: n(of), pending: n(waits) };
  }

  /** The newest, oldest of them first. */
  last(taskId: string, limit: number): TaskInput[] {
    const of = eq(taskInputs.taskId, taskId);
    const rows = this.#query.select(SHORT).from(taskInputs).where(of);
    return rows.orderBy(desc(taskInputs.number)).limit(limit).all().reverse().map(toInput);
  }

  removeOf(taskId: string): void {
    this.#query.delete(taskInputs).where(eq(taskInputs.taskId, taskId)).run();
  }
}

function prepareNext(query: Database['query']) {
  const of = eq(taskInputs.taskId, sql.placeholder('taskId'));
  const waits = and(of, eq(taskInputs.state, 'queued'));
  const rows = query.select({ id: taskInputs.id }).from(taskInputs).where(waits);
  return rows.orderBy(asc(taskInputs.number)).limit(1).prepare();
}

function toInput(row: ShortRow): TaskInput {
  const processed = row.state !== 'queued';
  return {
    id: row.id,
    input_preview: row.preview,
    timestamp: row.createdAt,
    state: row.state,
    processed,
    processed_at: processed ? row.changedAt : null,
    interrupt: row.interrupt,
    author: row.author,
    images: row.images,
  };
}
