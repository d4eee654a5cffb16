/** What the log says of people; never a secret. */
import { z } from 'zod';
import { Role } from './role.ts';

/** The name of the person who did it, as it was then; left out when the daemon did. */
export const Author = z.string().optional();

const PersonFact = z.object({ id: z.string(), name: z.string(), author: Author });

export const PEOPLE_EVENTS = {
  'people.invited': PersonFact.extend({ role: Role }),
  /** Used a link: the first one, or a new one in place of the token of before. */
  'people.joined': PersonFact.extend({ role: Role }),
  'people.link_made': PersonFact,
  'people.role_changed': PersonFact.extend({ role: Role, before: Role }),
  'people.renamed': PersonFact.extend({ before: z.string() }),
  'people.removed': PersonFact,
} as const;
