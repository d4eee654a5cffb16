/** Who opened a session, from the log; remembered, because the log forgets. */
import { z } from 'zod';
import type { EventLog } from '../events/event-log.ts';

/** Of a session, in one query. */
const PAGE = 1_000;

const Created = z.object({ reopened: z.boolean(), author: z.string().optional() });

export class SessionAuthors {
  readonly #log: EventLog;
  readonly #known = new Map<string, { createdAt: string; author: string }>();

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** '' when it is not known. A later session may have the same name. */
  of({ name, created_at: createdAt }: { name: string; created_at: string }): string {
    const known = this.#known.get(name);
    if (known?.createdAt === createdAt) return known.author;
    const author = this.#find(name);
    this.#known.set(name, { createdAt, author });
    return author;
  }

  forget(name: string): void {
    this.#known.delete(name);
  }

  #find(session: string): string {
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const page = this.#log.typesBefore({ session }, before, PAGE);
      for (const { seq, type } of page) {
        if (type !== 'session.created') continue;
        const [event] = this.#log.readAmong({ session }, seq - 1, 1);
        const created = Created.parse(JSON.parse(event?.data ?? '{"reopened":true}'));
        if (!created.reopened) return created.author ?? '';
      }
      const oldest = page.at(-1);
      if (oldest === undefined) return '';
      before = oldest.seq;
    }
  }
}
