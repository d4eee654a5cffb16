import type { Role } from '$shared/schema/people/role.ts';

export const ROLE_TEXT: Readonly<Record<Role, { label: string; may: string }>> = {
  viewer: { label: 'Viewer', may: 'can see everything, change nothing' },
  operator: { label: 'Operator', may: 'can start and stop loops, type and answer' },
  admin: {
    label: 'Admin',
    may: 'can do everything, and manages people and alerts',
  },
};

export const ROLES = Object.keys(ROLE_TEXT) as Role[];
