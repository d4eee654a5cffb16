import type { LoopPermissions } from '../../schema/loops/loop-permissions.ts';

interface PermissionsText {
  label: string;
  meaning: string;
}

/** From the least to the most. */
export const PERMISSIONS_TEXT: Record<LoopPermissions, PermissionsText> = {
  ask: {
    label: 'Ask first',
    meaning: 'The agent asks before each edit and each command that changes something.',
  },
  edit: {
    label: 'Edit and test',
    meaning:
      'The agent edits the project, runs its tests and builds and commits without asking. What these run is up to the project’s files, which the agent can edit.',
  },
  everything: {
    label: 'Everything',
    meaning:
      'The agent edits any file and runs any command as this machine’s user without asking, network included. Use a container or a disposable machine.',
  },
};

/** Where Loopwatch set none: another agent, or one that was already open. */
export const OWN_PERMISSIONS = 'Set in the agent';

export function permissionsLabel(permissions: LoopPermissions | null): string {
  return permissions === null ? OWN_PERMISSIONS : PERMISSIONS_TEXT[permissions].label;
}
