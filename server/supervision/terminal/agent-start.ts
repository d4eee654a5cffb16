/** Starts an agent: the first time, again after a crash, and where an earlier daemon stopped. */
import { messageOf } from '../../lib/app-error.ts';
import type { ProcessIdentity } from '../../lib/processes/process-identity.ts';
import {
  awaitAgent,
  type Launch,
  launchAgent,
  type LaunchCommand,
  type LaunchOptions,
  type LaunchOutcome,
} from './agent-launch.ts';
import { tagOf, type TerminalAgent } from './terminal-agent.ts';

/** A start that was interrupted longer ago than this is not finished without a person. */
const START_TOO_OLD_MS = 5 * 60_000;

export interface AgentStartOptions extends LaunchOptions {
  sessionName: string;
  command: LaunchCommand;
  /** The agent as currently stored; null once its supervisor has ended. */
  agent: () => TerminalAgent | null;
  seen: (process: ProcessIdentity) => void;
  failed: (error: string) => void;
  /** A start without a trace was interrupted too long ago. */
  abandoned: (error: string) => void;
  /** Reads all other evidence that the agent runs. */
  readSigns: () => void;
}

export class AgentStart {
  readonly #options: AgentStartOptions;
  /** The agent has shown itself since the newest launch. */
  #hasRun = false;

  constructor(options: AgentStartOptions) {
    this.#options = options;
  }

  /** The agent was observed or reported itself. */
  shown(): void {
    this.#hasRun = true;
  }

  /** Another launch begins: earlier observations are not of its agent. */
  forget(): void {
    this.#hasRun = false;
  }

  /** Types the start with its tag. A failed outcome was reported already. */
  async launch(tag: string): Promise<LaunchOutcome> {
    return this.#bringUp(tag, launchAgent);
  }

  /** A start was stored, and how far it came is unknown: the tag in the terminal shows it. */
  async resume(agent: TerminalAgent, ageMs: number): Promise<void> {
    const { sessions, sessionName, abandoned } = this.#options;
    const tag = tagOf(agent);
    const foreground = sessions.foreground(sessionName);
    const reachable = foreground.kind === 'shell' || foreground.kind === 'program';
    const typed = reachable && (await sessions.tagOf(sessionName)) === tag;
    // A signal or a closed terminal may have decided in the meantime.
    if (this.#options.agent()?.phase !== 'launching') return;
    if (typed) void this.#bringUp(tag, awaitAgent);
    else if (ageMs <= START_TOO_OLD_MS || agent.launchCount > 1) void this.launch(tag);
    else abandoned('the daemon stopped before the agent was started');
  }

  async #bringUp(tag: string, how: typeof launchAgent): Promise<LaunchOutcome> {
    const { command, launchFiles, seen, failed, readSigns, signal } = this.#options;
    const current = () => this.#options.agent();
    const agent = current();
    if (agent === null) return { ok: false, error: 'it ended before its agent started' };
    const launch: Launch = {
      agent,
      command,
      wanted: () => {
        const now = current();
        return now?.phase === 'launching' && tagOf(now) === tag;
      },
      shown: () => this.#hasRun,
    };
    const outcome = await how(launch, this.#options).catch((error: unknown): LaunchOutcome => ({
      ok: false,
      error: messageOf(error),
    }));
    // An agent that ended while its files were written has released them already.
    if (current() === null) launchFiles.end(agent.runId, outcome.ok ? outcome.process : null);
    if (outcome.ok && outcome.process !== null) {
      const { pid, startedAt } = outcome.process;
      seen({ pid, startedAt });
    }
    if (outcome.ok) return outcome;
    readSigns();
    if (this.#hasRun) return { ok: true, process: null };
    // A daemon that stops during the wait leaves the start to the next one.
    if (!signal.aborted) failed(outcome.error);
    return outcome;
  }
}
