/** Which loop runs in the agent, why that one, and whether the agent can run it. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  KNOWN_LOOPS,
  LOOP_NAMES,
  type LoopName,
  startTemplate,
} from '../../shared/rules/loops/known-loops.ts';
import type { PreflightCheck } from '../../shared/schema/model.ts';
import { type ClientVersion, formatVersion, parseClientVersion } from '../agents/client-version.ts';
import {
  PLUGIN_FLAG_SINCE,
  pluginDirectory,
  pluginFlag,
} from '../agents/launch/plugin-directory.ts';
import { configDirectory } from '../agents/records/config-directories.ts';
import type { Config } from '../lib/config/config.ts';
import type { ProgramVersions } from '../lib/processes/program-versions.ts';
import { packageRoot } from '../lib/package-root.ts';

/** Plugins keep their commands a few levels down (marketplace, plugin, version, commands). */
const MAX_DEPTH = 8;
/** A directory of plugins holds some hundred files; more are not searched. */
const MAX_ENTRIES = 20_000;

export interface LoopCheckOptions {
  loop: LoopName;
  /** By the settings. */
  isChosen: boolean;
  /** What a start types. */
  template: string;
  /** Null for a client that does not say, or another one. */
  version: ClientVersion | null;
  /** The terminals' own. */
  environment: NodeJS.ProcessEnv;
  /** Their own commands count too. */
  projects: readonly string[];
}

/**
 * The config of a daemon whose settings choose no loop: with ours, or with another one that is
 * installed where the client cannot load ours.
 */
export async function withLoop(
  config: Readonly<Config>,
  versions: ProgramVersions,
  environment: NodeJS.ProcessEnv,
): Promise<Readonly<Config>> {
  if (config.isLoopChosen) return config;
  const isThere = (loop: LoopName) =>
    findInstalled({ loop, environment, projects: config.roots }).found !== null;
  const others = LOOP_NAMES.filter((name) => name !== config.loop && isThere(name));
  const [other] = others;
  // Only then is the client asked for its version, which takes a while.
  if (other === undefined || isThere(config.loop)) return config;
  const version = parseClientVersion((await versions.of(config.agentProgram)) ?? '');
  if (pluginFlag(version) !== '') return config;
  return { ...config, loop: other, autoCommand: startTemplate(other) };
}

export function loopCheck(options: LoopCheckOptions): PreflightCheck {
  const { loop, template, version, isChosen } = options;
  const present = (detail: string): PreflightCheck => ({
    name: 'command',
    ok: true,
    detail,
    fix: null,
  });
  if (template !== startTemplate(loop)) {
    return present(`your own start command, set by LOOPWATCH_AUTO_COMMAND: ${template}`);
  }
  const isOurs = loop === 'loopwatch';
  if (isOurs && pluginFlag(version) !== '') {
    return present(`loop of Loopwatch, handed to the agent from ${pluginDirectory()}`);
  }
  const { found, places } = findInstalled(options);
  if (found !== null) {
    const because = isChosen
      ? 'chosen by LOOPWATCH_LOOP'
      : 'because this agent cannot load the loop of Loopwatch';
    const why = isOurs ? 'loop of Loopwatch, installed' : `loop ${loop}, ${because}`;
    return present(`${why}: ${found}`);
  }
  const searched = `searched ${places.join(', ')}`;
  const { command } = KNOWN_LOOPS[loop];
  return {
    name: 'command',
    ok: false,
    detail: isOurs
      ? `The loop of Loopwatch cannot be handed to this agent, and is not installed in it; ${searched}.`
      : `The loop command ${command} was not found; ${searched}.`,
    fix: isOurs
      ? `Update Claude Code to ${formatVersion(PLUGIN_FLAG_SINCE)} or newer. Or run: claude plugin marketplace add ${packageRoot()} && claude plugin install loopwatch@loopwatch. Or choose another loop with LOOPWATCH_LOOP.`
      : 'Install the plugin that provides it in the agent, or unset LOOPWATCH_LOOP to use the loop of Loopwatch.',
  };
}

function findInstalled({
  loop,
  environment,
  projects,
}: Pick<LoopCheckOptions, 'loop' | 'environment' | 'projects'>) {
  const client = configDirectory(environment);
  const places = [
    join(client, 'commands'),
    join(client, 'plugins'),
    ...projects.map((project) => join(project, '.claude', 'commands')),
  ];
  const found = places.map((place) => findCommand(place, loop)).find((file) => file !== null);
  return { found: found ?? null, places };
}

/** The file of that loop's command or skill `auto` below a directory. */
function findCommand(place: string, loop: LoopName): string | null {
  const ofLoop = new RegExp(`/${loop}(/|@|$)`);
  let entriesLeft = MAX_ENTRIES;
  const search = (directory: string, depth: number): string | null => {
    const entries = listDirectory(directory);
    entriesLeft -= entries.length;
    const wanted = basename(directory) === 'auto' ? ['auto.md', 'SKILL.md'] : ['auto.md'];
    const own = entries.find((entry) => entry.isFile() && wanted.includes(entry.name));
    if (own !== undefined && ofLoop.test(directory.slice(place.length))) {
      return join(directory, own.name);
    }
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
