/**
 * Plays a conversation, troubles, kills, a task and nights of a loop with real clients, behind a model on
 * loopback, and compares what the daemon shows with what was caused: `[--clients 2.1.330,2.1.197,newest]
 * [--nights 1] [--short] [--slow] [--kills TEXT] [--found]`. `--short` plays the conversation and few kills;
 * `--kills` plays nothing but those whose names contain the text, `--found` nothing but found sessions. Ends with 1 when a part fails, or a state was wrong too often, which `--slow` only prints; a client that
 * cannot be installed is named and left out.
 */
import { parseArgs } from 'node:util';
import { type Client, installClient } from './client/install-client.ts';
import { CONVERSATION } from './conversation.ts';
import { FoundStage } from './found/found-stage.ts';
import { playFound } from './found/play-found.ts';
import { playNight } from './night/play-night.ts';
import { print, printJudgement, printPart } from './record/print-judgement.ts';
import { confusionOf } from './record/confusion.ts';
import { type Cell, cellsOf, playKills } from './kills/play-kills.ts';
import { playTask } from './tasks/play-task.ts';
import { playTaskKills } from './tasks/play-task-kills.ts';
import { Stage } from './stage.ts';
import { TROUBLES } from './troubles.ts';

const USAGE = 64;
const BROKEN = 1;

/** What to end when the trial itself is ended. */
let open: Stage | FoundStage | null = null;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave());

process.exitCode = await main();

async function main(): Promise<number> {
  let words: string[];
  let nights: number;
  let isSlow: boolean;
  let isShort: boolean;
  let kills: string | undefined;
  let isFoundOnly: boolean;
  try {
    const { values } = parseArgs({
      options: {
        clients: { type: 'string', default: '2.1.329,2.1.197,newest' },
        nights: { type: 'string', default: '1' },
        short: { type: 'boolean', default: false },
        slow: { type: 'boolean', default: false },
        kills: { type: 'string' },
        found: { type: 'boolean', default: false },
      },
    });
    words = values.clients.split(',');
    nights = Number(values.nights);
    isSlow = values.slow;
    isShort = values.short;
    kills = values.kills;
    isFoundOnly = values.found;
  } catch (error) {
    process.stderr.write(
      `${String(error)}\nusage: npm run test:claude -- [--clients V,V] [--nights N] [--short] [--slow] [--kills TEXT] [--found]\n`,
    );
    return USAGE;
  }
  let hasHeld = true;
  for (const word of words) {
    const client = await installClient(word);
    if ('missing' in client) {
      print(`${word}: left out, ${client.missing}`);
      continue;
    }
    if (kills !== undefined) {
      const cells = cellsOf(false, kills);
      if (cells.length > 0) hasHeld = (await kill(client, cells)) && hasHeld;
      hasHeld = (await killTasks(client, kills)) && hasHeld;
      continue;
    }
    if (isFoundOnly) {
      hasHeld = (await find(client)) && hasHeld;
      continue;
    }
    print(`${client.version}, a conversation:`);
    hasHeld = (await play(new Stage(client), CONVERSATION, isSlow)) && hasHeld;
    hasHeld = (await kill(client, cellsOf(isShort))) && hasHeld;
    if (!isShort) {
      hasHeld = (await find(client)) && hasHeld;
      print(`${client.version}, troubles:`);
      hasHeld = (await play(new Stage(client), TROUBLES, isSlow)) && hasHeld;
      print(`${client.version}, a task:`);
      hasHeld = (await play(new Stage(client), { 'a task': playTask }, isSlow)) && hasHeld;
      hasHeld = (await killTasks(client)) && hasHeld;
    }
    for (let night = 1; night <= nights; night += 1) {
      print(`${client.version}, night ${night} of ${nights}:`);
      hasHeld =
        (await play(new Stage(client, 'hello'), { 'a loop': playNight }, isSlow)) && hasHeld;
    }
  }
  return hasHeld ? 0 : BROKEN;
}

async function leave(): Promise<void> {
  await open?.[Symbol.asyncDispose]();
  process.exit(BROKEN);
}

/** Plays found sessions on a stage of their own; disposes it. Whether everything held. */
async function find(client: Client): Promise<boolean> {
  print(`${client.version}, found sessions:`);
  await using stage = new FoundStage(client);
  open = stage;
  try {
    return await playFound(stage);
  } catch (error) {
    printPart('found sessions', {}, String(error));
    return false;
  }
}

/** Plays kills on a stage of their own; disposes it. Whether everything held. */
async function kill(client: Client, cells: readonly Cell[]): Promise<boolean> {
  print(`${client.version}, kills:`);
  await using stage = new Stage(client);
  open = stage;
  return await playKills(stage, cells);
}

/** Plays kills of tasks on a stage of their own; disposes it. Whether everything held. */
async function killTasks(client: Client, wanted?: string): Promise<boolean> {
  await using stage = new Stage(client);
  open = stage;
  return await playTaskKills(stage, wanted);
}

/** Plays the parts in order, until one fails; disposes the stage. Whether everything held. */
async function play(
  stage: Stage,
  parts: Record<string, (stage: Stage) => Promise<void>>,
  isSlow: boolean,
): Promise<boolean> {
  await using disposed = stage;
  open = disposed;
  for (const [name, part] of Object.entries(parts)) {
    const sinceMs = performance.now();
    const failure = await part(stage).then(
      () => null,
      (error: unknown) => String(error),
    );
    const seen = stage.sightings.filter(({ atMs }) => atMs >= sinceMs);
    const { wrong } = confusionOf(stage.truth.changes, seen);
    printPart(name, wrong, failure);
    if (failure !== null) {
      await printJudgement(stage);
      return false;
    }
  }
  const isRight = await printJudgement(stage);
  return isRight || isSlow;
}
