/** Brings the agent of one loop up: the first time, again after a crash, and where a daemon left off. */
import { messageOf } from '../lib/app-error.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';
import { awaitAgent, type Launch, launchAgent, type LaunchOutcome } from './agent-launch.ts';
import type { Happening, LoopState } from './machine/loop-state.ts';
import type { SupervisorOptions } from './supervisor-options.ts';

/** A start that was interrupted longer ago than this is not finished by itself. */
const START_TOO_OLD_MS = 5 * 60_000;

export interface LoopStartOptions extends SupervisorOptions {
  sessionName: string;
  state: () => LoopState | null;
  /** Tells the loop what happened; what cannot be stored changes nothing. */
  notice: (happening: Happening) => void;
  /** Reads the signal file now. */
  readSignal: () => void;
  /** Ends every wait when the loop or the daemon ends. */
  signal: AbortSignal;
}

export class LoopStart {
  readonly #options: LoopStartOptions;
  /** Since the newest launch the agent has shown itself. */
  #hasRun = false;

  constructor(options: LoopStartOptions) {
    this.#options = options;
  }

  /** The agent was seen or heard of. */
  shown(): void {
    this.#hasRun = true;
  }

  /** Another launch begins: what was seen before is not its agent. */
  forget(): void {
    this.#hasRun = false;
  }

  /** Types the start with its tag. Gives the outcome; a failed one has been told to the loop. */
  async launch(tag: string): Promise<LaunchOutcome> {
    return this.#bringUp(tag, launchAgent);
  }

  /** A start was stored but nobody knows how far it came: the tag in the terminal tells. */
  async resume(state: LoopState, ageMs: number): Promise<void> {
    const { sessions, sessionName, notice } = this.#options;
    const tag = tagOf(state);
    const look = sessions.look(sessionName);
    const reachable = look.kind === 'shell' || look.kind === 'program';
    const typed = reachable && (await sessions.tagOf(sessionName)) === tag;
    // A signal or a closed terminal may have decided while we asked.
    if (this.#options.state()?.status !== 'starting') return;
    if (typed) void this.#bringUp(tag, awaitAgent);
    else if (ageMs <= START_TOO_OLD_MS || state.launchCount > 1) void this.launch(tag);
    else {
      const error = 'the daemon ended before the agent was started';
      notice({ kind: 'abandon', reason: 'start_interrupted', error });
    }
  }

  async #bringUp(tag: string, how: typeof launchAgent): Promise<LaunchOutcome> {
    const { sessionName, runs, notice, readSignal, signal } = this.#options;
    const current = () => this.#options.state();
    const state = current();
    if (state === null) return { ok: false, error: 'the loop ended before its agent came up' };
    const launch: Launch = {
      sessionName,
      runId: state.runId,
      agent: state.agent,
      taskDir: state.taskDir,
      tag,
      wanted: () => {
        const now = current();
        return now?.status === 'starting' && tagOf(now) === tag;
      },
      shown: () => this.#hasRun,
    };
    const outcome = await how(launch, this.#options).catch((error: unknown): LaunchOutcome => ({
      ok: false,
      error: messageOf(error),
    }));
    // One that ended while its files were written has let go of them already.
    if (current() === null) runs.end(state.runId, outcome.ok ? outcome.process : null);
    if (outcome.ok && outcome.process !== null) {
      notice({ kind: 'agent_seen', process: identity(outcome.process) });
    }
    if (outcome.ok) return outcome;
    readSignal();
    if (this.#hasRun) return { ok: true, process: null };
    // A daemon that stops while it waits leaves the start to the next one.
    if (signal.aborted) return outcome;
    notice({ kind: 'launch_failed', reason: 'agent_not_started', error: outcome.error });
    return outcome;
  }
}

/** Takes a loop; gives the tag of its newest launch. */
export function tagOf({ runId, launchCount }: LoopState): string {
  return `${runId}.${launchCount}`;
}

function identity({ pid, startedAt }: ProcessIdentity): ProcessIdentity {
  return { pid, startedAt };
}
