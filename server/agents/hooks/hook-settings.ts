/**
 * The settings file that makes a client report to the daemon. Pure: version and paths in, settings
 * out. An event that the version does not know stops the client's start with a dialog, so each
 * version gets only what it was observed to accept.
 */
import { type ClientVersion, compareVersions } from '../client-version.ts';

/** No hook before or after a tool: each would slow down the user's turn. */
const EVENTS_SINCE: readonly { since: ClientVersion; events: readonly string[] }[] = [
  {
    since: { major: 1, minor: 0, patch: 128 },
    events: [
      'SessionStart',
      'SessionEnd',
      'UserPromptSubmit',
      'Stop',
      'SubagentStop',
      'Notification',
      'PreCompact',
    ],
  },
  { since: { major: 2, minor: 0, patch: 76 }, events: ['PermissionRequest'] },
  {
    since: { major: 2, minor: 1, patch: 329 },
    events: ['UserPromptExpansion', 'StopFailure', 'SubagentStart', 'PostCompact'],
  },
];

/** The first version observed to run a hook in parallel with the turn instead of blocking it. */
const ASYNC_SINCE: ClientVersion = { major: 2, minor: 1, patch: 329 };

/** The first version observed to have a list of sessions and to accept the switch for it. */
const AGENT_VIEW_SINCE: ClientVersion = { major: 2, minor: 1, patch: 197 };
const NO_AGENT_VIEW = { CLAUDE_CODE_DISABLE_AGENT_VIEW: '1' };

/**
 * The oldest version at hand that has the switch for its questions about itself ("How is Claude
 * doing?"); 1.0.128 has neither. The offer of the auto mode has no switch in settings: a mode in the
 * file prevents it.
 */
const SURVEY_SINCE: ClientVersion = { major: 2, minor: 0, patch: 76 };
const NO_SURVEY = { CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: '1' };

/** Seconds. The relay stops on its own after 2 s; this is for one that cannot even start. */
const TIMEOUT_S = 5;
/** Seconds: a day. It waits for a person, in parallel with the client's own dialog. */
const ANSWER_TIMEOUT_S = 86_400;

/** The event whose hook may answer for a person. */
const PERMISSION_EVENT = 'PermissionRequest';

export interface HookPaths {
  node: string;
  relay: string;
  runFile: string;
  /** Where the client's own status line is written; null keeps the user's. */
  statusLineFile: string | null;
}

interface HookCommand {
  type: 'command';
  command: string;
  timeout: number;
  async?: true;
}

export interface HookSettings {
  env: Record<string, string>;
  disableAgentView?: boolean;
  statusLine?: { type: 'command'; command: string };
  hooks: Record<string, { matcher: string; hooks: HookCommand[] }[]>;
}

/** Empty for a client that is too old. */
export function hookEvents(version: ClientVersion): string[] {
  return EVENTS_SINCE.filter(({ since }) => compareVersions(version, since) >= 0).flatMap(
    ({ events }) => events,
  );
}

/** Null for an unknown or too old client, and for a path that a shell could read otherwise. */
export function hookSettings(version: ClientVersion | null, paths: HookPaths): HookSettings | null {
  const events = version === null ? [] : hookEvents(version);
  const { node, relay, runFile, statusLineFile } = paths;
  const inert = [node, relay, runFile, statusLineFile ?? ''].every(isInert);
  if (version === null || events.length === 0 || !inert) return null;
  const command = `'${node}' '${relay}' '${runFile}' || true`;
  const hasAgentView = compareVersions(version, AGENT_VIEW_SINCE) >= 0;
  const hasSurvey = compareVersions(version, SURVEY_SINCE) >= 0;
  const outsideTheTurn = compareVersions(version, ASYNC_SINCE) >= 0;
  const hookOf = (event: string): HookCommand => {
    if (event === PERMISSION_EVENT) return { type: 'command', command, timeout: ANSWER_TIMEOUT_S };
    const hook: HookCommand = { type: 'command', command, timeout: TIMEOUT_S };
    return outsideTheTurn ? { ...hook, async: true } : hook;
  };
  return {
    // The alternate screen has no scrollback: the agent's work could not be read back.
    env: {
      CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1',
      ...(hasAgentView ? NO_AGENT_VIEW : {}),
      ...(hasSurvey ? NO_SURVEY : {}),
    },
    // One key on an empty prompt would move the conversation to a process that is not ours.
    ...(hasAgentView ? { disableAgentView: true } : {}),
    ...(statusLineFile === null ? {} : { statusLine: statusLine(statusLineFile) }),
    hooks: Object.fromEntries(
      events.map((event) => [event, [{ matcher: '', hooks: [hookOf(event)] }]]),
    ),
  };
}

/** Keeps the newest state whole and prints nothing, also when the directory was removed. */
function statusLine(file: string): { type: 'command'; command: string } {
  const keep = `umask 077; cat > '${file}.tmp' && mv '${file}.tmp' '${file}'`;
  return { type: 'command', command: `{ ${keep}; } 2>/dev/null || true` };
}

/** Between single quotes a shell takes everything literally except the quote itself. */
function isInert(path: string): boolean {
  return !/['\p{Cc}]/u.test(path);
}
