/**
 * Plays a conversation with real clients, behind a model on loopback, and compares what the daemon
 * shows with what was caused: `[--clients 2.1.330,2.1.197,newest]`. Ends with 1 when a part fails, or
 * a state was wrong too often; a client that cannot be installed is named and left out.
 */
import { parseArgs } from 'node:util';
import { installClient } from './client/install-client.ts';
import { PARTS } from './conversation.ts';
import { type Confusion, confusionOf } from './record/confusion.ts';
import { type Client, Stage } from './stage.ts';

const USAGE = 64;
const BROKEN = 1;
/** Of the polls. */
const FEWEST_RIGHT = 0.99;
const MAX_FALSELY_WORKING_MS = 2_000;

/** What to end when the trial itself is ended. */
let open: Stage | null = null;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave());

process.exitCode = await main();

async function main(): Promise<number> {
  let words: string[];
  try {
    const { values } = parseArgs({ options: { clients: { type: 'string' } } });
    words = (values.clients ?? '2.1.329,2.1.197,newest').split(',');
  } catch (error) {
    process.stderr.write(`${String(error)}\nusage: npm run test:claude -- [--clients V,V]\n`);
    return USAGE;
  }
  let code = 0;
  for (const word of words) {
    const client = await installClient(word);
    if ('missing' in client) print(`${word}: left out, ${client.missing}`);
    else if (!(await tried(client))) code = BROKEN;
  }
  return code;
}

async function leave(): Promise<void> {
  await open?.[Symbol.asyncDispose]();
  process.exit(BROKEN);
}

/** Whether everything held. */
async function tried(client: Client): Promise<boolean> {
  print(`${client.version}:`);
  await using stage = new Stage(client);
  open = stage;
  await stage.begin();
  let hasFailed = false;
  for (const [name, play] of Object.entries(PARTS)) {
    const sinceMs = performance.now();
    const failure = await play(stage).then(
      () => null,
      (error: unknown) => String(error),
    );
    const seen = stage.sightings.filter(({ atMs }) => atMs >= sinceMs);
    const { wrong } = confusionOf(stage.changes, seen);
    print(`  ${failure === null ? 'held  ' : 'FAILED'} ${name}${wrongsOf(wrong)}`);
    if (failure === null) continue;
    print(indented(failure));
    hasFailed = true;
    // The next part begins at the prompt.
    break;
  }
  print(indented(await inputsOf(stage)));
  const confusion = confusionOf(stage.changes, stage.sightings);
  print(indented(summaryOf(confusion)));
  return !hasFailed && isGoodEnough(confusion);
}

function isGoodEnough({ polls, right, falselyWorkingMs }: Confusion): boolean {
  return right / polls >= FEWEST_RIGHT && falselyWorkingMs <= MAX_FALSELY_WORKING_MS;
}

function summaryOf({ polls, right, falselyWorkingMs }: Confusion): string {
  const share = ((100 * right) / polls).toFixed(2);
  const longest = Math.round(falselyWorkingMs);
  return [
    `${right} of ${polls} polls right (${share} %)`,
    `longest "working" for an agent that waited or had exited: ${longest} ms`,
  ].join('\n');
}

/** `true > shown`, and how many polls. */
function wrongsOf(wrong: Confusion['wrong']): string {
  const wrongs = Object.entries(wrong).map(([pair, count]) => `${pair}: ${count}`);
  return wrongs.length === 0 ? '' : ` (wrong: ${wrongs.join(', ')})`;
}

/** What was typed, by whom, and what came of it. */
async function inputsOf(stage: Stage): Promise<string> {
  const { inputs } = (await stage.send('GET', '/api/sessions/web/inputs')) as {
    inputs: { text: string; source: string; delivery: string }[];
  };
  return inputs
    .toReversed()
    .map(({ text, source, delivery }) => `typed for ${source}: ${text.slice(0, 60)} (${delivery})`)
    .join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
