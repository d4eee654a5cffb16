/** Rows of `prompts`. No business rule. */
import { and, desc, eq, or, sql, type SQL } from 'drizzle-orm';
import type { Prompt, PromptQuery } from '../../shared/schema/tasks/prompt.ts';
import type { Database } from '../db/database.ts';
import { prompts } from '../db/task-schema.ts';

type Row = typeof prompts.$inferSelect;

export class PromptStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  insert(prompt: Prompt): void {
    this.#query.insert(prompts).values(toRow(prompt)).run();
  }

  get(id: string): Prompt | null {
    const row = this.#query.select().from(prompts).where(eq(prompts.id, id)).get();
    return row === undefined ? null : toPrompt(row);
  }

  /** Most used first, then most recently used, then newest. */
  list({ category, search, limit }: PromptQuery): Prompt[] {
    const wanted = and(
      category === undefined ? undefined : eq(prompts.category, category),
      search === undefined ? undefined : holds(search),
    );
    const order = [desc(prompts.usageCount), desc(prompts.lastUsedAt), desc(sql`rowid`)];
    const rows = this.#query.select().from(prompts).where(wanted);
    return rows
      .orderBy(...order)
      .limit(limit)
      .all()
      .map(toPrompt);
  }

  replace(prompt: Prompt): void {
    this.#query.update(prompts).set(toRow(prompt)).where(eq(prompts.id, prompt.id)).run();
  }

  delete(id: string): void {
    this.#query.delete(prompts).where(eq(prompts.id, id)).run();
  }
}

/** Case-insensitive as in SQLite: letters outside ASCII must match exactly. */
function holds(text: string): SQL | undefined {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const columns = [prompts.title, prompts.content, prompts.tags];
  return or(...columns.map((column) => sql`${column} LIKE ${pattern} ESCAPE '\\'`));
}

function toRow(prompt: Prompt): Row {
  return {
    id: prompt.id,
    title: prompt.title,
    content: prompt.content,
    category: prompt.category,
    tags: prompt.tags,
    criteriaConfig: prompt.criteria_config === null ? null : JSON.stringify(prompt.criteria_config),
    usageCount: prompt.usage_count,
    lastUsedAt: prompt.last_used_at,
    createdAt: prompt.created_at,
    updatedAt: prompt.updated_at,
  };
}

/** Rows were checked before they were written. */
function toPrompt(row: Row): Prompt {
  return {
    id: row.id,
    title: row.title,
    content: row.content,
    category: row.category,
    tags: row.tags,
    criteria_config:
      row.criteriaConfig === null
        ? null
        : (JSON.parse(row.criteriaConfig) as Prompt['criteria_config']),
    usage_count: row.usageCount,
    last_used_at: row.lastUsedAt,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
