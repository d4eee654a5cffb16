import type { Role } from '$shared/schema/people/role.ts';

/** What each role may do, in the words of a person who has to choose. */
export const ROLE_TEXT: Readonly<Record<Role, { label: string; may: string }>> = {
  viewer: { label: 'Viewer', may: 'sees everything, changes nothing' },
  operator: { label: 'Operator', may: 'starts and stops loops, types, answers' },
  admin: {
    label: 'Admin',
    may: 'does all of that, and decides who may come in and who is told of what',
  },
};

export const ROLES = Object.keys(ROLE_TEXT) as Role[];
