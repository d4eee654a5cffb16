/** Who may allow what an agent does: each of its client's modes in one honest sentence. */
import type { PermissionMode } from '$shared/schema/tasks/task.ts';

interface PermissionText {
  label: string;
  meaning: string;
}

const TEXT: Record<PermissionMode, PermissionText> = {
  default: {
    label: 'Ask for what is not allowed yet',
    meaning:
      'Nobody sits at the agent: what its settings do not allow is refused, and the conversation says so.',
  },
  acceptEdits: {
    label: 'Edit files without asking',
    meaning:
      'The agent edits files in its directory freely; other commands are refused unless its settings allow them.',
  },
  plan: {
    label: 'Plan only',
    meaning: 'The agent reads and makes a plan; it changes nothing.',
  },
  bypassPermissions: {
    label: 'Anything this machine’s user may',
    meaning:
      'The agent may do anything this machine’s user may: every file, every command, the network. The worktree is no fence. Choose it in a container or on a machine that may be lost.',
  },
};

export const PERMISSION_MODES = Object.keys(TEXT) as readonly PermissionMode[];

/** Takes a mode; gives its name and what it means. */
export function permissionText(mode: PermissionMode): PermissionText {
  return TEXT[mode];
}
