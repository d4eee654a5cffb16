/** The prepared statements of the event log, without its rules. */
import { and, between, count, desc, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm';
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { Database } from '../db/database.ts';
import { events } from '../db/schema.ts';

export function prepareEvents({ query, raw }: Database) {
  // On the path of every event: the query builder's overhead would be as much as the insert.
  const insert = raw.prepare(
    'INSERT INTO events (at, type, subject_kind, subject_id, session, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const ofSession = eq(events.session, sql.placeholder('session'));
  const ofSubject = and(
    eq(events.subjectKind, sql.placeholder('kind')),
    eq(events.subjectId, sql.placeholder('id')),
  );
  const ofKind = eq(events.subjectKind, sql.placeholder('kind'));
  const ofOwnType = sql`${events.type} LIKE ${events.subjectKind} || '.%'`;
  const after = gt(events.seq, sql.placeholder('after'));
  const before = lt(events.seq, sql.placeholder('before'));
  const limit = sql.placeholder('limit');
  /** By session or subject, each with an index. */
  const among = (which: typeof ofSubject) => ({
    page: query
      .select()
      .from(events)
      .where(and(which, after))
      .orderBy(events.seq)
      .limit(limit)
      .prepare(),
    typesBefore: query
      .select({ seq: events.seq, type: events.type })
      .from(events)
      .where(and(which, before))
      .orderBy(desc(events.seq))
      .limit(limit)
      .prepare(),
  });
  const newest = sql<number>`max(${events.seq})`;
  const sinceMs = sql`unixepoch(${events.at}, 'subsec') * 1000 - ${sql.placeholder('fromMs')}`;
  const bucket = sql<number>`cast(floor((${sinceMs}) / ${sql.placeholder('bucketMs')}) as integer)`;
  const subject = sql<string>`${events.subjectKind} || ':' || ${events.subjectId}`;
  const lastUsed = raw.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck();
  return {
    /** Returns the seq. */
    insert: (
      at: string,
      type: string,
      { kind, id }: Subject,
      session: string | null,
      data: string,
    ) => Number(insert.run(at, type, kind, id, session, data).lastInsertRowid),
    page: query.select().from(events).where(after).orderBy(events.seq).limit(limit).prepare(),
    ofTypes: query
      .select()
      .from(events)
      .where(
        and(
          after,
          lte(events.seq, sql.placeholder('last')),
          sql`${events.type} IN (SELECT value FROM json_each(${sql.placeholder('types')}))`,
        ),
      )
      .orderBy(events.seq)
      .prepare(),
    ofSession: among(ofSession),
    ofSubject: among(ofSubject),
    newestOfKind: query
      .select()
      .from(events)
      .where(
        inArray(
          events.seq,
          query
            .select({ seq: newest })
            .from(events)
            .where(and(ofKind, ofOwnType))
            .groupBy(events.subjectId),
        ),
      )
      .prepare(),
    nextSession: query
      .select({ name: sql<string | null>`min(${events.session})` })
      .from(events)
      .where(gt(events.session, sql.placeholder('after')))
      .prepare(),
    firstSince: query
      .select({ seq: events.seq })
      .from(events)
      .where(sql`${events.at} >= ${sql.placeholder('at')}`)
      .orderBy(events.seq)
      .limit(1)
      .prepare(),
    count: query
      .select({
        session: events.session,
        subject: subject.as('subject'),
        type: events.type,
        bucket: bucket.as('bucket'),
        count: count(),
      })
      .from(events)
      .where(between(events.seq, sql.placeholder('first'), sql.placeholder('last')))
      .groupBy(events.session, sql`subject`, events.type, sql`bucket`)
      .prepare(),
    deleteUpTo: query
      .delete(events)
      .where(lte(events.seq, sql.placeholder('seq')))
      .prepare(),
    oldest: query.select({ seq: events.seq }).from(events).orderBy(events.seq).limit(1).prepare(),
    newest: query
      .select({ seq: events.seq })
      .from(events)
      .orderBy(desc(events.seq))
      .limit(1)
      .prepare(),
    lastUsed: () => lastUsed.get() as number | undefined,
  };
}
