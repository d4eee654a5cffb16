/**
 * Starts one agent in its terminal and waits until it is seen. Typing happens at most once per tag:
 * the tag is left in the terminal in the same step, so that a daemon which died in between finds
 * either nothing or a tagged start.
 */
import { agentGroup } from '../../../shared/schema/agents/agent-state.ts';
import type { LaunchPermissions } from '../../agents/launch/launch-permissions.ts';
import type { LaunchFiles } from '../../agents/launch/launch-files.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { isSameProcess, type ProcessIdentity } from '../../lib/processes/process-identity.ts';
import type { AgentMonitor } from '../../sessions/watching/agent-monitor.ts';
import type { ForegroundAgent, ProbedForeground } from '../../sessions/typing/may-type.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { type PromptOutcome, typePrompt } from '../../sessions/typing/type-input.ts';
import { plainLines } from '../../terminals/screen-lines.ts';
import type { Foreground, TypeOutcome } from '../../terminals/terminal.ts';
import { type TerminalAgent, tagOf } from './terminal-agent.ts';

/** A shell that has just started runs its start-up files first. */
const SHELL_READY_MS = 3_000;
const POLL_INTERVAL_MS = 25;
/** A prompt that stays the same this long has been drawn. */
const SETTLED_MS = 60;
const SETTLED_WITHIN_MS = 1_000;

export interface LaunchOptions {
  sessions: Sessions;
  monitor: AgentMonitor;
  launchFiles: LaunchFiles;
  clock: Clock;
  startTimeoutMs: number;
  /** Ends every wait when the daemon stops. */
  signal: AbortSignal;
}

/** What starts the agent: a line for the shell, or a prompt for a client that is already open. */
export interface LaunchCommand {
  /** Where the agent works; its own settings there apply. */
  directory: string;
  /** Of an agent started in a shell, as the project is by then; null: nothing is chosen for it. */
  permissions(): LaunchPermissions | null;
  /** `flags` are those its client is known to accept; may be none. */
  line(flags: string): string;
  /** Null when an open client cannot be used. */
  prompt: string | null;
}

export interface Launch {
  agent: TerminalAgent;
  command: LaunchCommand;
  /** False when the start is no longer wanted; called right before anything is typed. */
  wanted(): boolean;
  /** True once the agent has shown itself in another way, by a signal that came first. */
  shown(): boolean;
}

/** `process` is null when the agent was too quick to be seen. */
export type LaunchOutcome =
  { ok: true; process: ProcessIdentity | null } | { ok: false; error: string };

/**
 * Waits until an agent could be started in a session; returns whether that is a shell, or a program
 * that is already open. Throws `not_ready`.
 */
export async function requireReady(
  sessionName: string,
  options: LaunchOptions,
): Promise<Place['kind']> {
  return (await findPlace(sessionName, options)).kind;
}

/** Types the start and waits for the agent. Rejects when the terminal cannot be used. */
export async function launchAgent(launch: Launch, options: LaunchOptions): Promise<LaunchOutcome> {
  const { sessions } = options;
  await sessions.ensureOpen(launch.agent.sessionName);
  return sessions.exclusively(launch.agent.sessionName, async () => typeStart(launch, options));
}

async function typeStart(launch: Launch, options: LaunchOptions): Promise<LaunchOutcome> {
  const { sessions } = options;
  let place = await findPlace(launch.agent.sessionName, options);
  let flags = '';
  if (place.kind === 'shell') {
    flags = await prepareRun(launch, options);
    await clearShell(launch.agent.sessionName, options);
    place = await findPlace(launch.agent.sessionName, options);
  }
  if (!launch.wanted()) return { ok: false, error: 'it was stopped before it started' };
  const outcome =
    place.kind === 'shell'
      ? await typeLine(launch, place, flags, options)
      : await typeIntoClient(launch, place, options);
  const typed =
    outcome === 'typed' ||
    outcome === 'delivered' ||
    (outcome !== 'refused' &&
      (await sessions.tagOf(launch.agent.sessionName)) === tagOf(launch.agent));
  if (!typed) return { ok: false, error: 'cannot type the start command into the terminal' };
  if (place.kind === 'program') return { ok: true, process: place.program };
  return awaitAgent(launch, options);
}

/** Tag, line and Enter in one call: a daemon that dies leaves nothing or a tagged start. */
async function typeLine(
  { agent, command }: Launch,
  { name: foreground }: Extract<Foreground, { kind: 'shell' }>,
  flags: string,
  { sessions }: LaunchOptions,
): Promise<TypeOutcome> {
  const line = { text: command.line(flags), submit: true, clearLine: true };
  return sessions.type(agent.sessionName, { ...line, foreground, tag: tagOf(agent) });
}

/**
 * The tag comes with Enter: a prompt that was only pasted when the daemon died has not started
 * anything.
 */
async function typeIntoClient(
  { agent, command }: Launch,
  place: Extract<Foreground, { kind: 'program' }>,
  { sessions, monitor, clock, signal }: LaunchOptions,
): Promise<PromptOutcome> {
  const { sessionName } = agent;
  const { prompt: text } = command;
  if (text === null) throw notReady(sessionName, place);
  const before = await monitor.receiver(sessionName);
  const { front } = before;
  if (!isAtEmptyPrompt(front) || !isSameProcess(front.program, place.program)) return 'refused';
  const prompt = { session: sessionName, text, submit: true, source: 'daemon' as const };
  const tools = { place: sessions, witness: monitor, clock, signal };
  return typePrompt({ ...prompt, agent: front, before, tag: tagOf(agent) }, tools);
}

/** Waits until a program is in the foreground: the agent that was typed. Rejects on abort. */
export async function awaitAgent(launch: Launch, options: LaunchOptions): Promise<LaunchOutcome> {
  const { sessions, clock, startTimeoutMs, signal } = options;
  const deadline = clock.monotonic() + startTimeoutMs;
  for (;;) {
    // Read before the probe: a daemon that was suspended in between probes once more.
    const isLate = clock.monotonic() >= deadline;
    const foreground = sessions.foreground(launch.agent.sessionName);
    if (foreground.kind === 'program' && !foreground.forked)
      return { ok: true, process: foreground.program };
    if (launch.shown()) return { ok: true, process: null };
    if (foreground.kind === 'closed' || foreground.kind === 'lost') {
      return { ok: false, error: 'the terminal was closed' };
    }
    if (isLate) break;
    await clock.sleep(POLL_INTERVAL_MS, signal);
  }
  return {
    ok: false,
    error: `no agent in the foreground within ${startTimeoutMs} ms: ${await lastRow(launch, sessions)}`,
  };
}

/**
 * Hooks report more than can be observed, but an agent starts without them rather than not at all.
 * It never starts with more permissions than were chosen.
 */
async function prepareRun(
  { agent, command }: Launch,
  { launchFiles }: LaunchOptions,
): Promise<string> {
  const { agent: kind, sessionName: session, runId } = agent;
  const place = { directory: command.directory, permissions: command.permissions() };
  return launchFiles
    .prepare(kind, { session, runId }, place)
    .catch(async () => launchFiles.flagsWithoutFiles(kind, place.permissions));
}

type Place = Extract<Foreground, { kind: 'shell' | 'program' }>;

async function findPlace(sessionName: string, options: LaunchOptions): Promise<Place> {
  const { sessions, clock, signal } = options;
  const deadline = clock.monotonic() + SHELL_READY_MS;
  for (;;) {
    const foreground = sessions.foreground(sessionName);
    const late = clock.monotonic() >= deadline;
    if (foreground.kind === 'shell' && (late || (await hasPrompt(sessionName, sessions))))
      return foreground;
    if (foreground.kind === 'program' && (await isOpenClient(sessionName, options)))
      return foreground;
    if (late || foreground.kind === 'closed' || foreground.kind === 'lost')
      throw notReady(sessionName, foreground);
    await clock.sleep(POLL_INTERVAL_MS, signal);
  }
}

/**
 * Ctrl-C at the prompt ends what an earlier Enter left open (a quote, a loop), which clearing
 * the line alone does not. A separate step, because shells drop text typed right after it.
 */
async function clearShell(sessionName: string, options: LaunchOptions): Promise<void> {
  const { sessions, clock, signal } = options;
  // One row on the screen: Enter was never pressed here.
  if (shownRows(await sessions.screen(sessionName)).length <= 1) return;
  if (sessions.foreground(sessionName).kind !== 'shell') return;
  await sessions.interrupt(sessionName);
  const deadline = clock.monotonic() + SETTLED_WITHIN_MS;
  let before = '';
  while (clock.monotonic() < deadline) {
    await clock.sleep(SETTLED_MS, signal);
    const { lines, cursor } = await sessions.screen(sessionName);
    const snapshot = JSON.stringify([lines, cursor]);
    if (snapshot === before) return;
    before = snapshot;
  }
}

async function hasPrompt(sessionName: string, sessions: Sessions): Promise<boolean> {
  return shownRows(await sessions.screen(sessionName)).length > 0;
}

function shownRows({ lines }: { lines: readonly string[] }): string[] {
  return plainLines(lines).filter((line) => line.trim() !== '');
}

/** A known client at its prompt, with no draft in its box. */
async function isOpenClient(sessionName: string, { monitor }: LaunchOptions): Promise<boolean> {
  return isAtEmptyPrompt(await monitor.foreground(sessionName));
}

function isAtEmptyPrompt(front: ProbedForeground): front is ForegroundAgent {
  if (front.kind !== 'agent' || front.isUntested === true) return false;
  return agentGroup(front.state) === 'idle' && front.box === 'empty';
}

function notReady(sessionName: string, foreground: Foreground): AppError {
  const found =
    foreground.kind === 'program'
      ? `"${foreground.program.name}" is in the foreground`
      : foreground.kind;
  return new AppError(
    'not_ready',
    `session ${sessionName} is not at its shell prompt (${found}); end the program there or use another session`,
  );
}

async function lastRow({ agent }: Launch, sessions: Sessions): Promise<string> {
  try {
    const shown = shownRows(await sessions.screen(agent.sessionName));
    return `the terminal shows "${(shown.at(-2) ?? shown.at(-1) ?? '').slice(0, 200)}"`;
  } catch {
    return 'cannot read the terminal';
  }
}
