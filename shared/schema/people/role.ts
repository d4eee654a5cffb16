import { z } from 'zod';

/** What a person may do: view, work with loops and terminals, or manage people too. */
export const Role = z.enum(['viewer', 'operator', 'admin']);
export type Role = z.infer<typeof Role>;

const RANK: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

export function mayAct(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}
