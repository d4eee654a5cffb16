/** Describes each of the client's permission modes in one sentence. */
import type { PermissionMode } from '$shared/schema/tasks/permission-mode.ts';

interface PermissionText {
  label: string;
  meaning: string;
}

const TEXT: Record<PermissionMode, PermissionText> = {
  default: {
    label: 'Only what its settings allow',
    meaning:
      'The agent runs unattended: anything its settings do not allow is refused, and the conversation says so.',
  },
  acceptEdits: {
    label: 'Edit files without asking',
    meaning:
      'The agent can edit files in its directory. Commands are refused unless its settings allow them.',
  },
  plan: {
    label: 'Plan only',
    meaning: 'The agent reads and writes a plan. It changes nothing.',
  },
  bypassPermissions: {
    label: 'Full access (no prompts)',
    meaning:
      'The agent can do anything this machine’s user can: every file, every command, the network. The worktree does not contain it. Use a container or a disposable machine.',
  },
};

export const PERMISSION_MODES = Object.keys(TEXT) as readonly PermissionMode[];

export function permissionText(mode: PermissionMode): PermissionText {
  return TEXT[mode];
}
