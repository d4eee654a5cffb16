/**
 * What the chosen permissions of a loop mean for its client: the mode on its command line, and the
 * rules in its settings file. Pure.
 *
 * A rule `Bash(x:*)` allows `x` and `x` with arguments, not `xy`. The client takes operators apart: in
 * 2.1.197 and 2.1.330 such a rule did not allow `x; y`, `x && y`, `x || y`, `x | y`, `x & y`, `x > f`,
 * `x $(y)`, backticks, `<(y)` or a variable in front.
 */
import { PERMISSION_MODE } from '../../../shared/rules/permission-mode.ts';
import type { LoopPermissions } from '../../../shared/schema/loops/loop-permissions.ts';
import { type ClientVersion, compareVersions } from '../client-version.ts';

/** The first version seen to take `--permission-mode`. */
const MODE_FLAG_SINCE: Readonly<ClientVersion> = { major: 1, minor: 0, patch: 128 };

/** Tools that ask, without those of MCP servers: a wildcard for them stops the start with a dialog. */
const EVERY_TOOL = ['Bash', 'Edit', 'Write', 'NotebookEdit', 'WebFetch', 'WebSearch'];

/**
 * What the loop of Loopwatch does to commit and merge its own branch. Exact where git has an option
 * that writes a file anywhere (`--output`): the client judges the other forms on its own, and lets
 * those pass that only read.
 */
const GIT_RULES = [
  'Bash(git add:*)',
  'Bash(git commit:*)',
  'Bash(git switch:*)',
  'Bash(git merge:*)',
  'Bash(git reset --merge ORIG_HEAD)',
  'Bash(git status)',
  'Bash(git diff)',
  'Bash(git log)',
];

export interface LaunchPermissions {
  mode: (typeof PERMISSION_MODE)[LoopPermissions];
  /** Permission rules of the client. */
  allow: string[];
  /** Where edits count as edits of the project. */
  directories: string[];
  /**
   * Whether `loopwatch step check` asks. It runs commands that the agent may have written, and so do
   * the project's own, once the agent may edit their files.
   */
  mayCheck: boolean;
}

/** The permissions in the client's settings. */
export interface PermissionSettings {
  defaultMode?: string;
  allow?: string[];
  additionalDirectories?: string[];
}

/** `commands` are the project's own; none holds anything that a shell or a rule reads as more than text. */
export function launchPermissions(
  chosen: LoopPermissions,
  project: { root: string; commands: readonly string[] },
): LaunchPermissions {
  const mode = PERMISSION_MODE[chosen];
  switch (chosen) {
    case 'ask':
      return { mode, allow: [], directories: [], mayCheck: false };
    case 'edit': {
      const own = project.commands.map((command) => `Bash(${command}:*)`);
      const mayCheck = own.length > 0;
      return { mode, allow: [...own, ...GIT_RULES], directories: [project.root], mayCheck };
    }
    case 'everything':
      return { mode, allow: EVERY_TOOL, directories: [project.root], mayCheck: true };
  }
}

export function takesMode(version: ClientVersion | null): boolean {
  return version !== null && compareVersions(version, MODE_FLAG_SINCE) >= 0;
}

/** '' for a client not known to take it. */
export function modeFlag(version: ClientVersion | null, mode: string | null): string {
  return mode !== null && takesMode(version) ? `--permission-mode ${mode}` : '';
}

/**
 * `ownMode` is the one the user has set, for a loop without a choice. The file names a mode wherever
 * there is one: a client that finds only the user's asks at the end of a turn whether to change it.
 * `steps` never ask, no matter what was chosen.
 */
export function permissionSettings(
  chosen: LaunchPermissions | null,
  ownMode: string | null,
  steps: readonly string[],
): PermissionSettings | undefined {
  const defaultMode = chosen?.mode ?? ownMode;
  const allow = [...steps, ...(chosen?.allow ?? [])];
  const additionalDirectories = chosen?.directories ?? [];
  const settings: PermissionSettings = {
    ...(defaultMode === null ? {} : { defaultMode }),
    ...(allow.length === 0 ? {} : { allow }),
    ...(additionalDirectories.length === 0 ? {} : { additionalDirectories }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}
