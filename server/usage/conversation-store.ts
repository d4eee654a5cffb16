/** Rows of `usage_conversations` and `usage_files`. No business rule. */
import { eq, ne, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { usageConversations, usageFiles } from '../db/usage-schema.ts';
import type { FilePosition } from '../lib/appended-lines.ts';
import type { Work } from './usage-entry.ts';

/**
 * `live`: a session's agent has it, and what appears is counted. `held`: a headless turn runs in
 * it, and nothing is read before its end. `covered`: the result of that turn was counted, so its
 * messages are claimed. `lost`: it left no result, so its messages are counted. `closed`: read to
 * its end.
 */
export type Reading = (typeof usageConversations.$inferSelect)['reading'];

export interface FollowedConversation {
  id: string;
  work: Work;
  /** Messages before this wall time in milliseconds are not of this work. */
  sinceMs: number;
  reading: Reading;
}

export class ConversationStore {
  readonly #query: Database['query'];
  readonly #place;

  constructor({ query }: Database) {
    this.#query = query;
    const path = eq(usageFiles.path, sql.placeholder('path'));
    this.#place = query.select().from(usageFiles).where(path).prepare();
  }

  get(id: string): FollowedConversation | null {
    const ofId = eq(usageConversations.id, id);
    const row = this.#query.select().from(usageConversations).where(ofId).get();
    return row === undefined ? null : toConversation(row);
  }

  /** Not read to their end. */
  open(): FollowedConversation[] {
    const isOpen = ne(usageConversations.reading, 'closed');
    return this.#query.select().from(usageConversations).where(isOpen).all().map(toConversation);
  }

  save({ id, work, sinceMs, reading }: FollowedConversation): void {
    const { subject, project, person } = work;
    const about = { subjectKind: subject.kind, subjectId: subject.id, project, person };
    const columns = { ...about, sinceMs, reading };
    this.#query
      .insert(usageConversations)
      .values({ id, ...columns })
      .onConflictDoUpdate({ target: usageConversations.id, set: columns })
      .run();
  }

  setReading(id: string, reading: Reading): void {
    const ofId = eq(usageConversations.id, id);
    this.#query.update(usageConversations).set({ reading }).where(ofId).run();
  }

  place(path: string): FilePosition | null {
    return this.#place.get({ path }) ?? null;
  }

  savePlace(path: string, { identity, offset, isInside }: FilePosition): void {
    const columns = { identity, offset, isInside };
    this.#query
      .insert(usageFiles)
      .values({ path, ...columns })
      .onConflictDoUpdate({ target: usageFiles.path, set: columns })
      .run();
  }
}

function toConversation(row: typeof usageConversations.$inferSelect): FollowedConversation {
  const { id, subjectKind: kind, subjectId, project, person, sinceMs, reading } = row;
  return { id, work: { subject: { kind, id: subjectId }, project, person }, sinceMs, reading };
}
