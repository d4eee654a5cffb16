/** Rows of `interactions`: the conversations of tasks. No business rule. */
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { type Interaction, InteractionType } from '../../shared/schema/tasks/interaction.ts';
import type { Database } from '../db/database.ts';
import { interactions } from '../db/task-schema.ts';

/** Stored characters of one interaction. */
const MAX_CONTENT = 100_000;

export interface NewInteraction {
  taskId: string;
  /** Its origin; a second one with the same origin is not stored again. */
  source: string;
  type: InteractionType;
  turn: number;
  content: string;
  tool?: string | null;
  isError?: boolean;
  author?: string | null;
  at: string;
}

/** Of a whole turn. */
export interface TurnUsage {
  inputTokens: number;
  outputTokens: number;
  cacheCreationTokens: number;
  cacheReadTokens: number;
  durationMs: number | null;
  costUsd: number;
}

export class InteractionStore {
  readonly #query: Database['query'];
  /** Prepared once: runs for each line of a list. */
  readonly #replies: ReturnType<typeof prepareReplies>;

  constructor({ query }: Database) {
    this.#query = query;
    this.#replies = prepareReplies(query);
  }

  /** Returns the stored interaction, or null when it was stored already. */
  insert(interaction: NewInteraction): Interaction | null {
    const { content, ...columns } = interaction;
    const row = { ...columns, content: content.slice(0, MAX_CONTENT), length: content.length };
    const stored = this.#query
      .insert(interactions)
      .values(row)
      .onConflictDoNothing()
      .returning()
      .get() as Row | undefined;
    return stored === undefined ? null : toInteraction(stored);
  }

  /**
   * Stores the usage of a turn on its last response; returns that response, or null when there is
   * none.
   */
  addUsage(taskId: string, turn: number, usage: TurnUsage): Interaction | null {
    const last = this.#query
      .select({ id: interactions.id })
      .from(interactions)
      .where(
        and(
          eq(interactions.taskId, taskId),
          eq(interactions.turn, turn),
          eq(interactions.type, 'claude_response'),
          isNull(interactions.tool),
        ),
      )
      .orderBy(desc(interactions.id))
      .limit(1)
      .get();
    if (last === undefined) return null;
    const at = eq(interactions.id, last.id);
    const row = this.#query.update(interactions).set(usage).where(at).returning().get();
    return toInteraction(row);
  }

  /** Oldest first: those after an id, or the last ones before one; at most `limit`. */
  page(
    taskId: string,
    { after, before, limit }: { after?: number; before?: number; limit: number },
  ): Interaction[] {
    const of = eq(interactions.taskId, taskId);
    if (after !== undefined) {
      const where = and(of, gt(interactions.id, after));
      const rows = this.#query.select().from(interactions).where(where);
      return rows.orderBy(asc(interactions.id)).limit(limit).all().map(toInteraction);
    }
    const where = before === undefined ? of : and(of, lt(interactions.id, before));
    const rows = this.#query.select().from(interactions).where(where);
    const found = rows.orderBy(desc(interactions.id)).limit(limit).all();
    return found.reverse().map(toInteraction);
  }

  get(id: number): { taskId: string; interaction: Interaction } | null {
    const row = this.#query.select().from(interactions).where(eq(interactions.id, id)).get();
    return row === undefined ? null : { taskId: row.taskId, interaction: toInteraction(row) };
  }

  edit(id: number, content: string): void {
    const changed = { content, length: content.length };
    this.#query.update(interactions).set(changed).where(eq(interactions.id, id)).run();
  }

  count(taskId: string): number {
    const of = eq(interactions.taskId, taskId);
    return this.#query.select({ n: count() }).from(interactions).where(of).get()?.n ?? 0;
  }

  /** Those of the given turns that are older than `id`. */
  countBefore(taskId: string, turns: readonly number[], id: number): number {
    const of = and(eq(interactions.taskId, taskId), lt(interactions.id, id));
    const where = and(of, inArray(interactions.turn, [...turns]));
    return this.#query.select({ n: count() }).from(interactions).where(where).get()?.n ?? 0;
  }

  /** Messages of the agent, without tool calls. */
  countReplies(taskId: string): number {
    return this.#replies.get({ taskId })?.n ?? 0;
  }

  /** The newest response of the agent; null before the first. */
  latestResponse(taskId: string): string | null {
    const where = and(
      eq(interactions.taskId, taskId),
      eq(interactions.type, 'claude_response'),
      isNull(interactions.tool),
    );
    const rows = this.#query.select().from(interactions).where(where);
    return rows.orderBy(desc(interactions.id)).limit(1).get()?.content ?? null;
  }

  /** The last response of the newest turns, newest last. */
  lastReplies(taskId: string, limit: number): string[] {
    const where = and(
      eq(interactions.taskId, taskId),
      eq(interactions.type, 'claude_response'),
      isNull(interactions.tool),
      isNotNull(interactions.outputTokens),
    );
    const rows = this.#query.select().from(interactions).where(where);
    const found = rows.orderBy(desc(interactions.id)).limit(limit).all();
    return found.reverse().map(({ content }) => content);
  }

  /** The tool calls of a turn, oldest first: each its name and arguments. */
  calls(taskId: string, turn: number): string[] {
    const { tool, content } = interactions;
    const where = and(
      eq(interactions.taskId, taskId),
      eq(interactions.turn, turn),
      eq(interactions.type, 'claude_response'),
      isNotNull(tool),
    );
    const rows = this.#query.select({ tool, content }).from(interactions).where(where);
    return rows
      .orderBy(asc(interactions.id))
      .all()
      .map((call) => `${call.tool ?? ''} ${call.content}`);
  }

  /** Returns how many there were. */
  removeOf(taskId: string): number {
    return this.#query.delete(interactions).where(eq(interactions.taskId, taskId)).run().changes;
  }
}

function prepareReplies(query: Database['query']) {
  const of = eq(interactions.taskId, sql.placeholder('taskId'));
  const isReply = and(of, eq(interactions.type, 'claude_response'), isNull(interactions.tool));
  return query.select({ n: count() }).from(interactions).where(isReply).prepare();
}

type Row = typeof interactions.$inferSelect;

function toInteraction(row: Row): Interaction {
  return {
    id: row.id,
    type: InteractionType.parse(row.type),
    content: row.content,
    length: row.length,
    timestamp: row.at,
    turn: row.turn,
    tool: row.tool,
    is_error: row.isError,
    author: row.author,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    cache_creation_tokens: row.cacheCreationTokens,
    cache_read_tokens: row.cacheReadTokens,
    duration_ms: row.durationMs,
    cost_usd: row.costUsd,
  };
}
