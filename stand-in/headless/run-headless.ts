/** One turn of a headless conversation: reads the message, plays it, ends the process. */
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { nowMs } from '../clock.ts';
import { type Refusal, readPlan } from '../plan/plan.ts';
import { noteSpent } from '../plan/spent-file.ts';
import { appendMessage } from '../plan/transcript-file.ts';
import type { HeadlessLaunch, Launch } from '../parse-arguments.ts';
import {
  clientHome,
  type Conversation,
  keepConversation,
  readConversation,
} from './conversation-file.ts';
import { defaultSteps } from './default-steps.ts';
import { type Step, stepsOf } from './directives.ts';
import { completed, limitUntil, loginEnd, type Played, playSteps } from './play-steps.ts';
import { loadScenario } from '../load-scenario.ts';
import type { Verdicts } from '../scenario.ts';
import { type End, NO_USAGE, Stream, type StreamUsage } from './stream.ts';
import { runPhaseOf, verdictLine } from './run-phase.ts';
import { terminalCheckOf, verdictOn } from './verdict.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CALLS_FILE = 'stand-in-calls.ndjson';
const WOKEN = 'What ran in the background is done.';
/** Of the context, after `/compact`. */
const COMPACTED_PERCENT = 5;
const TOOLS = ['Bash', 'Edit', 'Read', 'Write'];
const INTERRUPTED: End = {
  text: null,
  isError: true,
  subtype: 'error_during_execution',
  terminalReason: 'aborted_streaming',
  status: null,
  errors: ['[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null'],
};

const UserLine = z.object({
  message: z.object({
    content: z.union([
      z.string(),
      z.array(z.object({ type: z.string(), text: z.string().optional() })),
    ]),
  }),
});

/** Runs the turn and ends the process. */
export async function runHeadless(launch: Launch, headless: HeadlessLaunch): Promise<never> {
  const home = clientHome(process.env);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const call = { argv: process.argv.slice(2), cwd: process.cwd(), pid: process.pid };
  appendFileSync(path.join(home, CALLS_FILE), `${JSON.stringify(call)}\n`);
  const inJson = headless.outputFormat === 'stream-json';
  if (inJson && !headless.verbose) {
    return leave(1, 'Error: When using --print, --output-format=stream-json requires --verbose');
  }
  const sessionId = headless.resume ?? launch.sessionId ?? randomUUID();
  const stream = new Stream(sessionId, (line) => {
    if (inJson) process.stdout.write(line);
  });
  const known = headless.resume === null ? null : readKnown(home, headless.resume);
  if (typeof known === 'string') {
    stream.end({ ...INTERRUPTED, terminalReason: null, errors: [known] }, NO_USAGE, 0);
    return leave(1, known);
  }
  const message = await readMessage(launch, headless);
  if (message.trim() === '') {
    return leave(1, 'Error: Input must be provided through stdin or as a prompt argument');
  }
  if (known !== null && message.trim() === '/compact') return compact(known, stream);
  const before = known ?? { session_id: sessionId, turns: 0, first_message: message, cost_usd: 0 };
  const conversation = { ...before, turns: before.turns + 1 };
  const keep = (kept: Conversation) => {
    if (headless.persist) keepConversation(home, kept);
  };
  keep(conversation);
  const begin = () => {
    stream.init(launch.permissionMode ?? 'default', headless.tools ? TOOLS : []);
  };
  begin();
  const beganMs = nowMs();
  const { end, used, backgroundMs, stays } = await play(
    conversation,
    message,
    headless.tools,
    stream,
  );
  if (!end.isError) spend(sessionId, used, beganMs, headless.persist);
  const total = conversation.cost_usd + used.costUsd;
  keep({ ...conversation, cost_usd: total });
  stream.end(end, used, total);
  if (!inJson) process.stdout.write(`${end.text ?? ''}\n`);
  if (backgroundMs !== null) {
    // The agent learns that the background work ended, which begins another round.
    await delay(backgroundMs);
    stream.background(0);
    begin();
    stream.say(WOKEN);
    stream.end(completed(WOKEN), used, total + used.costUsd);
  }
  // Stays even after an orderly end: only a signal helps.
  if (stays) return new Promise(() => setInterval(() => undefined, 60_000));
  return leave(end === INTERRUPTED || !end.isError ? 0 : 1);
}

/** A command of the client, and no turn: it fails without an error, as that of the real client. */
function compact(conversation: Conversation, stream: Stream): never {
  const { first_message: first, cost_usd: total } = conversation;
  stream.init('default', TOOLS);
  if (/^stand-in: compact-fails$/m.test(first)) stream.say('Error during compaction');
  else stream.compacted(COMPACTED_PERCENT);
  stream.end(completed(''), NO_USAGE, total);
  return leave(0);
}

function leave(code: number, message = ''): never {
  if (message !== '') process.stderr.write(`${message}\n`);
  process.exit(code);
}

/** The conversation, or the client's error message when there is none. */
function readKnown(home: string, sessionId: string): Conversation | string {
  if (!UUID.test(sessionId)) {
    return `Error: --resume requires a valid session ID or session title when used with --print. Usage: claude -p --resume <session-id|title>. Provided value "${sessionId}" is not a UUID and does not match any session title.`;
  }
  const conversation = readConversation(home, sessionId);
  return conversation ?? `No conversation found with session ID: ${sessionId}`;
}

async function readMessage({ prompt }: Launch, { inputFormat }: HeadlessLaunch): Promise<string> {
  if (inputFormat !== 'stream-json') return prompt ?? textOf(process.stdin);
  const [line = ''] = (await textOf(process.stdin)).split('\n');
  const { content } = UserLine.parse(JSON.parse(line)).message;
  if (typeof content === 'string') return content;
  return content.map(({ type, text }) => text ?? `[${type}]`).join('\n');
}

async function play(
  conversation: Conversation,
  message: string,
  mayUseTools: boolean,
  stream: Stream,
): Promise<Played> {
  const abort = new AbortController();
  let deaf = false;
  process.on('SIGINT', () => deaf || abort.abort());
  process.on('SIGTERM', () => deaf || process.exit(143));
  try {
    const refusal = readPlan(process.env)?.refusal() ?? null;
    if (refusal !== null) return refused(refusal, stream);
    const steps = stepsFor(conversation, message, mayUseTools);
    return await playSteps(steps, stream, abort.signal, () => (deaf = true));
  } catch (error) {
    if (!abort.signal.aborted) return leave(1, `Error: ${(error as Error).message}`);
    stream.interrupted();
    return { end: INTERRUPTED, used: NO_USAGE, backgroundMs: null, stays: false };
  }
}

/** As the client ends a turn that the plan of its home does not allow. */
function refused(refusal: Refusal, stream: Stream): Played {
  const end =
    refusal.kind === 'login'
      ? loginEnd('OAuth token has expired · Please run /login', stream)
      : limitUntil(
          Math.ceil(refusal.resetsAtMs / 1000),
          refusal.window === 'weekly' ? 'seven_day' : 'five_hour',
          stream,
        );
  return { end, used: NO_USAGE, backgroundMs: null, stays: false };
}

/** Where the clients of this home share a plan: into the transcript, before the result says it. */
function spend(conversation: string, used: StreamUsage, beganMs: number, isKept: boolean): void {
  if (readPlan(process.env) === null) return;
  const home = clientHome(process.env);
  const { inputTokens: input, outputTokens: output } = used;
  const atMs = nowMs();
  if (isKept) {
    const tokens = { input, output, cacheRead: 0, cacheCreation: 0 };
    appendMessage(home, { conversation, entrypoint: 'sdk-cli', atMs, tokens });
  }
  noteSpent(home, {
    began_ms: beganMs,
    at_ms: atMs,
    cwd: process.cwd(),
    conversation,
    reported: isKept ? 'both' : 'result',
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: 0,
    cache_creation_tokens: 0,
  });
}

function stepsFor(conversation: Conversation, message: string, mayUseTools: boolean): Step[] {
  const verdict = verdictOn(message);
  if (verdict !== null) return [{ do: 'say', text: verdict }];
  const check = terminalCheckOf(message);
  const judged = check === null ? null : nextVerdict(check);
  if (judged === 'error') return [{ do: 'overload' }];
  if (judged !== null) return [{ do: 'say', text: `${judged}: the scenario says so.` }];
  const { turns: turn, first_message: first } = conversation;
  const phase = runPhaseOf(first);
  const steps = stepsOf(first, message, turn);
  const inPhase = steps.length === 0 && phase !== null ? defaultSteps(phase, turn) : steps;
  if (inPhase.length > 0) return inPhase.map((step) => reviewed(step, message, first));
  if (!mayUseTools) return [{ do: 'say', text: 'ok' }];
  if (turn >= 3) return [{ do: 'say', text: 'All steps are done. The task is complete.' }];
  const file = `stand-in-${turn}.md`;
  const text = `I wrote ${file}; there is more to do.`;
  return [
    { do: 'write', file, text: `What was done in turn ${turn}.` },
    { do: 'say', text },
  ];
}

/** With the verdict line that the review asks for. */
function reviewed(step: Step, message: string, first: string): Step {
  if (step.do !== 'review') return step;
  const [verdict = '', ...found] = step.text.split(' ');
  const asked = runPhaseOf(message) === 'review' ? message : first;
  const line = verdict === 'none' ? '' : verdictLine(asked, verdict);
  return { do: 'review', text: [found.join(' '), line].filter(Boolean).join('\n\n') };
}

/** Of the scenario, the last one again and again; null when it has none for this check. */
function nextVerdict(check: keyof Verdicts): Verdicts[typeof check][number] | null {
  const verdicts = loadScenario(process.cwd(), process.env).verdicts?.[check] ?? [];
  if (verdicts.length === 0) return null;
  const file = path.join(clientHome(process.env), `stand-in-${check}-checks`);
  const asked = existsSync(file) ? readFileSync(file).length : 0;
  appendFileSync(file, '.');
  return verdicts[asked] ?? verdicts.at(-1) ?? null;
}
