import type { Person } from '../../shared/schema/people/people.ts';
import type { PersonRecord } from './person-store.ts';

/** What others see of a person; `now` decides whether their link is still open. */
export function personView(record: PersonRecord, now: string): Person {
  const { id, name, role, createdAt, joinedAt, lastSeenAt, linkExpiresAt } = record;
  const isOpen = linkExpiresAt !== null && linkExpiresAt > now;
  return {
    id,
    name,
    role,
    created_at: createdAt,
    joined_at: joinedAt,
    last_seen_at: lastSeenAt,
    has_token: record.tokenHash !== null,
    link_expires_at: isOpen ? linkExpiresAt : null,
  };
}
