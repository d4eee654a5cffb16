/** Rows of `usage_conversations` and `usage_files`. No business rule. */
import { eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { usageConversations, usageFiles } from '../db/usage-schema.ts';
import type { FilePosition } from '../lib/files/appended-lines.ts';
import type { Work } from './usage-entry.ts';

/**
 * `live`: a session's agent has it, and what appears is counted. `held`: a headless turn runs in
 * it, and nothing is read before its end. `covered`: the result of that turn was counted, so its
 * messages are claimed. `lost`: it left no result, so its messages are counted. `closed`: read to
 * its end.
 */
export type Reading = (typeof usageConversations.$inferSelect)['reading'];

/** Not read to its end. */
const OPEN: readonly Reading[] = ['live', 'held', 'covered', 'lost'];

export interface FollowedConversation {
  id: string;
  work: Work;
  /** Messages before this wall time in milliseconds are not of this work. */
  sinceMs: number;
  reading: Reading;
}

export class ConversationStore {
  readonly #query: Database['query'];
  // Prepared: each signal of a loop runs all of them.
  readonly #conversation;
  readonly #open;
  readonly #place;
  readonly #savePlace;

  constructor({ query }: Database) {
    this.#query = query;
    const { id, reading } = usageConversations;
    const { path, identity, offset, isInside } = usageFiles;
    const conversations = () => query.select().from(usageConversations);
    this.#conversation = conversations()
      .where(eq(id, sql.placeholder('id')))
      .prepare();
    // By the index: nearly all of a year are closed.
    this.#open = conversations().where(inArray(reading, OPEN)).prepare();
    const ofPath = eq(path, sql.placeholder('path'));
    this.#place = query.select().from(usageFiles).where(ofPath).prepare();
    const excluded = (column: typeof identity | typeof offset | typeof isInside) =>
      sql`excluded.${sql.identifier(column.name)}`;
    this.#savePlace = query
      .insert(usageFiles)
      .values({
        path: sql.placeholder('path'),
        identity: sql.placeholder('identity'),
        offset: sql.placeholder('offset'),
        isInside: sql.placeholder('isInside'),
      })
      .onConflictDoUpdate({
        target: path,
        set: {
          identity: excluded(identity),
          offset: excluded(offset),
          isInside: excluded(isInside),
        },
      })
      .prepare();
  }

  get(id: string): FollowedConversation | null {
    const row = this.#conversation.get({ id });
    return row === undefined ? null : toConversation(row);
  }

  /** Not read to their end. */
  open(): FollowedConversation[] {
    return this.#open.all().map(toConversation);
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
    this.#savePlace.run({ path, identity, offset, isInside });
  }
}

function toConversation(row: typeof usageConversations.$inferSelect): FollowedConversation {
  const { id, subjectKind: kind, subjectId, project, person, sinceMs, reading } = row;
  return { id, work: { subject: { kind, id: subjectId }, project, person }, sinceMs, reading };
}
