/** What a loop needs from its agent: a known version, the loop command, a login. */
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { PreflightCheck } from '../../shared/schema/model.ts';
import {
  compareVersions,
  formatVersion,
  NEWEST_TESTED,
  parseClientVersion,
} from '../agents/client-version.ts';
import { hookEvents } from '../agents/hooks/hook-settings.ts';
import { clientDirectory } from '../agents/launch/user-settings.ts';
import { readHostileFile } from '../lib/hostile-file.ts';

/** What the built-in template types into the agent. */
export const LOOP_COMMAND = '/moonview:auto';

/** Plugins keep their commands a few levels down (marketplace, plugin, version, commands). */
const MAX_DEPTH = 8;
/** A directory of plugins holds some hundred files; more are not searched. */
const MAX_ENTRIES = 20_000;
/** The client's own state of many projects has some megabytes. */
const MAX_STATE_BYTES = 32 * 1024 * 1024;

const State = z.looseObject({ oauthAccount: z.looseObject({}).optional() });

/** `answer`: the output of the client's version command, or null. */
export function clientCheck(answer: string | null): PreflightCheck {
  const check = { name: 'client' as const, ok: true, fix: null };
  if (answer === null) {
    const fix = 'Run it with --version yourself; until it answers, it is started without hooks.';
    return { name: 'client', ok: false, detail: 'The agent does not report its version.', fix };
  }
  const version = parseClientVersion(answer);
  if (version === null) {
    return { ...check, detail: `unknown client "${answer}": started without hooks` };
  }
  const client = `Claude Code ${formatVersion(version)}`;
  if (compareVersions(version, NEWEST_TESTED) > 0) {
    return {
      ...check,
      detail: `${client}, newer than the newest tested (${formatVersion(NEWEST_TESTED)})`,
    };
  }
  if (hookEvents(version).length > 0) return { ...check, detail: `${client}, tested` };
  return { ...check, detail: `${client}, too old for hooks` };
}

/** Searches a terminal's environment and the directories of projects for the loop command. */
export function commandCheck(
  environment: NodeJS.ProcessEnv,
  projects: readonly string[],
): PreflightCheck {
  const client = clientDirectory(environment);
  const places = [
    join(client, 'commands'),
    join(client, 'plugins'),
    ...projects.map((project) => join(project, '.claude', 'commands')),
  ];
  const found = places.map(findCommand).find((file) => file !== null);
  if (found !== undefined) return { name: 'command', ok: true, detail: found, fix: null };
  return {
    name: 'command',
    ok: false,
    detail: `The loop command ${LOOP_COMMAND} was not found; searched ${places.join(', ')}.`,
    fix: 'Install the plugin that provides it in the agent, or set LOOPWATCH_AUTO_COMMAND to another command.',
  };
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
  const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
  const named = names.find((name) => (environment[name] ?? '') !== '');
  if (named !== undefined) return `${named} is set`;
  const directory = clientDirectory(environment);
  const credentials = join(directory, '.credentials.json');
  if (existsSync(credentials)) return `credentials in ${credentials}`;
  const home = environment['HOME'] ?? homedir();
  const states = [join(directory, '.claude.json'), join(home, '.claude.json')];
  const state = states.find(hasAccount);
  return state === undefined ? null : `an account in ${state}`;
}

function hasAccount(path: string): boolean {
  const file = readHostileFile(path, MAX_STATE_BYTES);
  if (file.kind !== 'text') return false;
  try {
    return State.parse(JSON.parse(file.text)).oauthAccount !== undefined;
  } catch {
    return false;
  }
}

/** The file of moonview's command or skill `auto` below a directory, or null. */
function findCommand(place: string): string | null {
  let entriesLeft = MAX_ENTRIES;
  const search = (directory: string, depth: number): string | null => {
    const entries = listDirectory(directory);
    entriesLeft -= entries.length;
    const wanted = basename(directory) === 'auto' ? ['auto.md', 'SKILL.md'] : ['auto.md'];
    const own = entries.find((entry) => entry.isFile() && wanted.includes(entry.name));
    const isMoonview = /\/moonview(\/|@|$)/.test(directory.slice(place.length));
    if (own !== undefined && isMoonview) return join(directory, own.name);
    if (depth >= MAX_DEPTH || entriesLeft < 0) return null;
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name === 'node_modules') continue;
      const found = search(join(directory, entry.name), depth + 1);
      if (found !== null) return found;
    }
    return null;
  };
  return search(place, 0);
}

function listDirectory(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
