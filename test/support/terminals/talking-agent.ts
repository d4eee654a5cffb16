/** The stand-in as an agent that is talked to, in a session of a real daemon, and what it received. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hookSettings } from '../../../server/agents/hooks/hook-settings.ts';
import { NEWEST_TESTED } from '../../../server/agents/client-version.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import type { ReceivedInput } from '../../../stand-in/files/input-log.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { gitRepository } from '../git/git-repository.ts';
import { writeRunFile } from '../agents/hook-relay.ts';
import { openShell, rowsOf, typeInto } from './terminal-view.ts';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

const RELAY = join(packageRoot(), 'dist/server/agents/hooks/hook-relay.js');

export const SAY = { do: 'say', lines: ['I have looked at it.'] };
export const COMMIT = { do: 'commit', message: 'Do a part' };
export const PLAN = { do: 'plan', lines: ['1. Do the first thing', '2. Do the second thing'] };
export const QUESTION = {
  do: 'question',
  question: 'Which colour should the button be?',
  header: 'Colour',
  options: ['Red', 'Blue'],
};
export const ASK = { do: 'ask', command: 'npm install left-pad', description: 'Install a package' };

interface TalkingAgent {
  /** One list of steps for each turn. */
  talk?: readonly (readonly object[])[];
  /** More of its scenario. */
  more?: object;
  /** It reports to the daemon. */
  hasHooks?: boolean;
}

/** Writes its scenario, also for checks; returns its directory, a repository. Call it before the daemon starts. */
export function stageAgent(world: World, { talk = [[SAY]], more = {} }: TalkingAgent = {}): string {
  const scenario = { status_record: true, talk, ...more };
  const directory = world.taskDir('one', scenario);
  world.environment['LOOPWATCH_STAND_IN_SCENARIO'] = join(directory, 'stand-in.json');
  return existsSync(join(directory, '.git')) ? directory : gitRepository(directory);
}

/** Opens the session `web` and starts the agent in it. */
export async function openAgent(world: World, api: ApiClient, agent: TalkingAgent = {}) {
  const directory = stageAgent(world, agent);
  await openShell(api, 'web', directory);
  await startAgent(world, api, agent.hasHooks);
}

export async function startAgent(world: World, api: ApiClient, hasHooks = false): Promise<void> {
  const flag = hasHooks ? ` --settings ${writeSettings(world)}` : '';
  await typeInto(api, 'web', `claude${flag}`);
  await until('the agent is ready', async () => (await agentState(api)) === 'ready');
}

export async function agentState(api: ApiClient): Promise<string | undefined> {
  const { body } = await api.get('/api/sessions/web');
  return (body['agent'] as { state: string } | null)?.state;
}

/** Everything the agents of a world received, oldest first. */
export function inputOf({ root }: World): ReceivedInput[] {
  const file = join(root, 'claude', 'stand-in-heard.ndjson');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as ReceivedInput);
}

export function textsReceived(world: World): string[] {
  return inputOf(world).flatMap((heard) => (heard.event === 'text' ? [heard.text] : []));
}

/** Keys that were pressed while a dialog was open. */
export function keysReceived(world: World): string[] {
  return inputOf(world).flatMap((heard) => (heard.event === 'key' ? [heard.key] : []));
}

/** Waits until the agent asks through its hook to use that tool; returns the item of the inbox. */
export async function requestOf(api: ApiClient, tool: string): Promise<{ id: string }> {
  return until(`a request for ${tool}`, async () => {
    const { items } = (await api.get('/api/attention')).body as unknown as {
      items: { id: string; request: { tool: string } | null }[];
    };
    return items.find(({ request }) => request?.tool === tool);
  });
}

/** Waits until a row of the terminal has the text. */
export async function shows(api: ApiClient, text: string): Promise<string[]> {
  let rows: string[] = [];
  const poll = async () => {
    rows = await rowsOf(api, 'web');
    return rows.some((row) => row.includes(text));
  };
  await until(text, poll, () => rows);
  return rows;
}

function writeSettings(world: World): string {
  const file = join(world.root, 'settings.json');
  const paths = {
    node: process.execPath,
    relay: RELAY,
    runFile: writeRunFile(world),
    statusLineFile: null,
  };
  writeFileSync(file, JSON.stringify(hookSettings(NEWEST_TESTED, paths)));
  return file;
}
