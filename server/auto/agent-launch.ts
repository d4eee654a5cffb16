/**
 * Brings the agent of one loop up in its terminal and waits until it is seen. Typing happens at most
 * once per tag: the tag is left in the terminal in the same step, so that a daemon which died in
 * between finds either nothing or a tagged start.
 */
import { agentGroup } from '../../shared/agent-state.ts';
import type { Agents } from '../agents/agents.ts';
import type { SupervisedRuns } from '../agents/supervised-run.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { isSameProcess, type ProcessIdentity } from '../lib/process-identity.ts';
import type { AgentMonitor } from '../sessions/agent-monitor.ts';
import type { AgentInFront, InFront } from '../sessions/may-type.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type PromptOutcome, typePrompt } from '../sessions/type-input.ts';
import { plainLines } from '../terminals/screen-lines.ts';
import type { Look, TypeOutcome } from '../terminals/terminal.ts';
import type { AgentKind } from './machine/loop-state.ts';

/** A shell that has just started runs its start-up files first. */
const SHELL_READY_MS = 3_000;
const LOOK_INTERVAL_MS = 25;
/** A prompt that stays the same this long has been drawn. */
const SETTLED_MS = 60;
const SETTLED_WITHIN_MS = 1_000;

export interface LaunchOptions {
  sessions: Sessions;
  monitor: AgentMonitor;
  agents: Agents;
  runs: SupervisedRuns;
  clock: Clock;
  startTimeoutMs: number;
  /** Ends every wait when the daemon stops. */
  signal: AbortSignal;
}

export interface Launch {
  sessionName: string;
  runId: string;
  agent: AgentKind;
  taskDir: string;
  tag: string;
  /** False when the loop no longer wants to start; asked right before anything is typed. */
  wanted(): boolean;
  /** True once the agent has shown itself in another way, by a signal that was quicker than we. */
  shown(): boolean;
}

/** `process` is null when the agent was too quick to be seen. */
export type LaunchOutcome =
  { ok: true; process: ProcessIdentity | null } | { ok: false; error: string };

/** Takes a session; waits until a loop could be typed into it. Throws `not_ready`. */
export async function requireReady(sessionName: string, options: LaunchOptions): Promise<void> {
  await findPlace(sessionName, options);
}

/** Types the start of the loop and waits for its agent. Rejects when the terminal cannot be used. */
export async function launchAgent(launch: Launch, options: LaunchOptions): Promise<LaunchOutcome> {
  const { sessions } = options;
  await sessions.ensureOpen(launch.sessionName);
  return sessions.exclusively(launch.sessionName, async () => typeStart(launch, options));
}

async function typeStart(launch: Launch, options: LaunchOptions): Promise<LaunchOutcome> {
  const { sessions } = options;
  let place = await findPlace(launch.sessionName, options);
  let flags = '';
  if (place.kind === 'shell') {
    flags = await prepareRun(launch, options);
    await clearShell(launch.sessionName, options);
    place = await findPlace(launch.sessionName, options);
  }
  if (!launch.wanted()) return { ok: false, error: 'the loop was stopped before its start' };
  const outcome =
    place.kind === 'shell'
      ? await typeLine(launch, place, flags, options)
      : await typeIntoClient(launch, place, options);
  const typed =
    outcome === 'typed' ||
    outcome === 'delivered' ||
    (outcome !== 'refused' && (await sessions.tagOf(launch.sessionName)) === launch.tag);
  if (!typed) return { ok: false, error: 'the start could not be typed into the terminal' };
  if (place.kind === 'program') return { ok: true, process: place.program };
  return awaitAgent(launch, options);
}

/** Tag, line and Enter in one call: a daemon that dies leaves nothing or a tagged start. */
async function typeLine(
  { sessionName, agent, taskDir, tag }: Launch,
  { name: inFront }: Extract<Look, { kind: 'shell' }>,
  flags: string,
  { sessions, agents }: LaunchOptions,
): Promise<TypeOutcome> {
  const text = agents.shellLine(agent, taskDir, flags);
  return sessions.type(sessionName, { text, submit: true, clearLine: true, inFront, tag });
}

/** The tag comes with Enter: a prompt that a dead daemon only pasted has not started anything. */
async function typeIntoClient(
  { sessionName, taskDir, tag }: Launch,
  place: Extract<Look, { kind: 'program' }>,
  { sessions, monitor, agents, clock, signal }: LaunchOptions,
): Promise<PromptOutcome> {
  const text = agents.prompt(taskDir);
  if (text === null) throw notReady(sessionName, place);
  const before = await monitor.receiver(sessionName);
  const { front } = before;
  if (!isAtEmptyPrompt(front) || !isSameProcess(front.program, place.program)) return 'refused';
  const prompt = { session: sessionName, text, submit: true, source: 'daemon' as const };
  const tools = { place: sessions, witness: monitor, clock, signal };
  return typePrompt({ ...prompt, agent: front, before, tag }, tools);
}

/** Waits until a program is in front of the shell: the agent that was typed. Rejects on abort. */
export async function awaitAgent(launch: Launch, options: LaunchOptions): Promise<LaunchOutcome> {
  const { sessions, clock, startTimeoutMs, signal } = options;
  const deadline = clock.monotonic() + startTimeoutMs;
  for (;;) {
    // Before the look: a daemon that stood still in between looks once more.
    const isLate = clock.monotonic() >= deadline;
    const look = sessions.look(launch.sessionName);
    if (look.kind === 'program' && !look.forked) return { ok: true, process: look.program };
    if (launch.shown()) return { ok: true, process: null };
    if (look.kind === 'closed' || look.kind === 'lost') {
      return { ok: false, error: 'the terminal is gone' };
    }
    if (isLate) break;
    await clock.sleep(LOOK_INTERVAL_MS, signal);
  }
  return {
    ok: false,
    error: `no agent came in front within ${startTimeoutMs} ms: ${await lastRow(launch, sessions)}`,
  };
}

/** Hooks tell more than can be seen, but a loop goes without them rather than not at all. */
async function prepareRun(launch: Launch, { runs }: LaunchOptions): Promise<string> {
  const { agent, sessionName: session, runId, taskDir } = launch;
  return runs.prepare(agent, { session, runId }, taskDir).catch(() => '');
}

type Place = Extract<Look, { kind: 'shell' | 'program' }>;

async function findPlace(sessionName: string, options: LaunchOptions): Promise<Place> {
  const { sessions, clock, signal } = options;
  const deadline = clock.monotonic() + SHELL_READY_MS;
  for (;;) {
    const look = sessions.look(sessionName);
    const late = clock.monotonic() >= deadline;
    if (look.kind === 'shell' && (late || (await hasPrompt(sessionName, sessions)))) return look;
    if (look.kind === 'program' && (await isOpenClient(sessionName, options))) return look;
    if (late || look.kind === 'closed' || look.kind === 'lost') throw notReady(sessionName, look);
    await clock.sleep(LOOK_INTERVAL_MS, signal);
  }
}

/**
 * Ctrl-C at the prompt ends whatever an earlier Enter left open (a quote, a loop), which clearing the
 * line alone does not. In a step of its own, because shells drop what is typed close behind it.
 */
async function clearShell(sessionName: string, options: LaunchOptions): Promise<void> {
  const { sessions, clock, signal } = options;
  // One row on the screen: nobody has pressed Enter here yet.
  if (shownRows(await sessions.screen(sessionName)).length <= 1) return;
  if (sessions.look(sessionName).kind !== 'shell') return;
  await sessions.interrupt(sessionName);
  const deadline = clock.monotonic() + SETTLED_WITHIN_MS;
  let before = '';
  while (clock.monotonic() < deadline) {
    await clock.sleep(SETTLED_MS, signal);
    const { lines, cursor } = await sessions.screen(sessionName);
    const picture = JSON.stringify([lines, cursor]);
    if (picture === before) return;
    before = picture;
  }
}

async function hasPrompt(sessionName: string, sessions: Sessions): Promise<boolean> {
  return shownRows(await sessions.screen(sessionName)).length > 0;
}

function shownRows({ lines }: { lines: readonly string[] }): string[] {
  return plainLines(lines).filter((line) => line.trim() !== '');
}

/** A known client at its prompt, with nothing drafted in its box. */
async function isOpenClient(sessionName: string, { monitor }: LaunchOptions): Promise<boolean> {
  return isAtEmptyPrompt(await monitor.inFront(sessionName));
}

function isAtEmptyPrompt(front: InFront): front is AgentInFront {
  return front.kind === 'agent' && agentGroup(front.state) === 'idle' && front.box === 'empty';
}

function notReady(sessionName: string, look: Look): AppError {
  const inFront = look.kind === 'program' ? `"${look.program.name}" is in front` : look.kind;
  return new AppError(
    'not_ready',
    `session ${sessionName} is not at its shell (${inFront}); end the program there or use another session`,
  );
}

async function lastRow({ sessionName }: Launch, sessions: Sessions): Promise<string> {
  try {
    const shown = shownRows(await sessions.screen(sessionName));
    return `the terminal shows "${(shown.at(-2) ?? shown.at(-1) ?? '').slice(0, 200)}"`;
  } catch {
    return 'the terminal cannot be read';
  }
}
