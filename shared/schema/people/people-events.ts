/** The events about people; never a secret. */
import { z } from 'zod';
import { Role } from './role.ts';

/** The person's name at that time; omitted when the daemon did it. */
export const Author = z.string().optional();

const PersonFact = z.object({ id: z.string(), name: z.string(), author: Author });

export const PEOPLE_EVENTS = {
  'people.invited': PersonFact.extend({ role: Role }),
  /** Used a login link: the first one, or a new one that replaces the old token. */
  'people.joined': PersonFact.extend({ role: Role }),
  'people.link_made': PersonFact,
  'people.role_changed': PersonFact.extend({ role: Role, before: Role }),
  'people.renamed': PersonFact.extend({ before: z.string() }),
  'people.removed': PersonFact,
} as const;
