import { z } from 'zod';

/** What somebody may do: look on, work with loops and terminals, or decide who may. */
export const Role = z.enum(['viewer', 'operator', 'admin']);
export type Role = z.infer<typeof Role>;

const RANK: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

/** Takes a role and the one that is needed; tells whether it reaches that far. */
export function mayAct(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}
