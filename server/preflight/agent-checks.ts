/** What a loop needs from its agent: a known version, a login. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PreflightCheck } from '../../shared/schema/model.ts';
import {
  compareVersions,
  formatVersion,
  NEWEST_TESTED,
  parseClientVersion,
} from '../agents/client-version.ts';
import { hookEvents } from '../agents/hooks/hook-settings.ts';
import { accountIn, LOGIN_VARIABLES, statePaths } from '../agents/records/client-account.ts';
import { configDirectory } from '../agents/records/config-directories.ts';

/**
 * `answer`: the output of the client's version command, or null; `isOwn`: of a user's own program;
 * `isTrusted`: whether that version may be typed into.
 */
export function clientCheck(
  answer: string | null,
  isOwn: boolean,
  isTrusted: (version: string) => boolean,
): PreflightCheck {
  const check = { name: 'client' as const, ok: true, fix: null };
  if (isOwn && parseClientVersion(answer ?? '') === null) {
    return { ...check, detail: 'your own agent: started without hooks' };
  }
  if (answer === null) {
    const fix = 'Run it with --version yourself; until it answers, it is started without hooks.';
    return { name: 'client', ok: false, detail: 'The agent does not report its version.', fix };
  }
  const version = parseClientVersion(answer);
  if (version === null) {
    const given = answer === '' ? 'no version reported' : `unknown version "${answer}"`;
    return { ...check, detail: `${given}: started without hooks` };
  }
  const client = `Claude Code ${formatVersion(version)}`;
  if (compareVersions(version, NEWEST_TESTED) > 0) {
    const number = formatVersion(version);
    const newer = `${client}, newer than the newest tested (${formatVersion(NEWEST_TESTED)})`;
    if (isTrusted(number)) return { ...check, detail: `${newer}, trusted` };
    return {
      ...check,
      ok: false,
      detail: `${newer}: it runs, and nothing is typed into it.`,
      fix: `Trust the version on the page of its session, or run: loopwatch client trust ${number}`,
    };
  }
  if (hookEvents(version).length > 0) return { ...check, detail: `${client}, tested` };
  return { ...check, detail: `${client}, too old for hooks` };
}

/** Whether the agent has a login; reads no secret. */
export function loginCheck(environment: NodeJS.ProcessEnv): PreflightCheck {
  const by = loginOf(environment);
  if (by !== null) return { name: 'login', ok: true, detail: by, fix: null };
  return {
    name: 'login',
    ok: false,
    detail: 'The agent is not logged in: no ANTHROPIC_API_KEY, no credentials file, no account.',
    fix: 'Start the agent yourself once and log in, or set ANTHROPIC_API_KEY for the daemon.',
  };
}

function loginOf(environment: NodeJS.ProcessEnv): string | null {
  const named = LOGIN_VARIABLES.find((name) => (environment[name] ?? '') !== '');
  if (named !== undefined) return `${named} is set`;
  const credentials = join(configDirectory(environment), '.credentials.json');
  if (existsSync(credentials)) return `credentials in ${credentials}`;
  const state = statePaths(environment).find((path) => accountIn(path) !== null);
  return state === undefined ? null : `an account in ${state}`;
}
