import type { LoopPermissions } from '../schema/loops/loop-permissions.ts';

/**
 * The mode of Claude Code for each choice; the settings of the loop add rules to it. `everything` is
 * not `bypassPermissions`: that one opens a dialog in which a person accepts responsibility, with "No,
 * exit" selected, and does not start as root (both seen in 2.1.197 and 2.1.330).
 */
export const PERMISSION_MODE = {
  ask: 'default',
  edit: 'acceptEdits',
  everything: 'acceptEdits',
} as const satisfies Record<LoopPermissions, string>;

/** Stands for that mode in the published start command. */
export const MODE_PLACEHOLDER = '{permissionMode}';
