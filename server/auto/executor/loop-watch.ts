/**
 * Everything that is observed of one auto loop, and when: signals and agent at every poll, the
 * screen at every heartbeat, the directory before anything in it is read. Reports; decides nothing.
 */
import { Polls } from '../../lib/polls.ts';
import type { Stopwatch } from '../../supervision/stopwatch.ts';
import { AgentProbe } from '../../supervision/terminal/agent-probe.ts';
import { ScreenProbe } from '../../supervision/terminal/screen-probe.ts';
import type { AgentObservation } from '../../supervision/terminal/terminal-agent.ts';
import { readStopRequest } from '../../modules/stop-request.ts';
import { readTaskStatus } from '../../modules/task-module.ts';
import { taskDirStatus } from '../directory/control-files.ts';
import { DirectoryProbe } from '../directory/directory-probe.ts';
import { loopAgent } from './loop-agent.ts';
import { isSettled } from '../machine/observing.ts';
import { isRequested } from '../machine/stopping.ts';
import type { UnstampedInput, TaskDirStatus } from '../machine/loop-input.ts';
import type { LoopState } from '../machine/loop-state.ts';
import { openSignals } from '../directory/open-signals.ts';
import type { SignalSource } from '../directory/signal-source.ts';
import type { SupervisorOptions } from './supervisor-options.ts';

export interface LoopWatchOptions extends SupervisorOptions {
  /** The newest state: a stop may be ahead of what could be stored. */
  state: () => LoopState | null;
  age: Stopwatch;
  /** False when it could not be stored: it will be observed again. */
  notice: (input: UnstampedInput) => boolean;
  /** The quota gate lets this loop try now. */
  mayTry: () => boolean;
}

interface Seen extends Pick<AgentObservation, 'agent' | 'known'> {
  taskDir: TaskDirStatus;
  state: LoopState | null;
}

export class LoopWatch {
  readonly agent: AgentProbe;
  readonly directory: DirectoryProbe;
  readonly screen: ScreenProbe;
  readonly #options: LoopWatchOptions;
  readonly #polls: Polls;
  #source: SignalSource | null = null;
  /** What was observed last, and the state it led to. */
  #last: Seen | null = null;
  #isClosed = false;

  constructor(state: LoopState, options: LoopWatchOptions) {
    this.#options = options;
    this.agent = new AgentProbe(state.sessionName, options);
    this.directory = new DirectoryProbe(state, options);
    this.screen = new ScreenProbe(state.sessionName, options);
    this.#polls = new Polls(options.clock);
  }

  open(state: LoopState): void {
    const { clock, age, logger, notice, signalPollMs, heartbeatMs } = this.#options;
    const { signalProfile: profile } = this.#options;
    const acceptsRun = (runId: string) => this.#isOwnRun(runId);
    const stopHinted = () => this.readFiles();
    const reading = { clock, age, logger, profile, acceptsRun, notice, stopHinted };
    this.#source = openSignals(state, reading);
    this.#polls.repeat(signalPollMs, async () => {
      const taskDir = await this.directory.status();
      if (taskDir !== 'unknown') this.readFiles();
      await this.#observe(taskDir);
    });
    this.#polls.repeat(heartbeatMs, async () => this.#beat());
  }

  /** From here on, this process is the agent of the session. */
  expect({ sessionName, agentProcess, runId }: LoopState): void {
    if (agentProcess === null) return;
    const { monitor, launchFiles } = this.#options;
    monitor.expect(sessionName, agentProcess, launchFiles.statusLineFile(runId));
  }

  /**
   * Never rejects, and takes a bounded time: what cannot be observed is `unknown`, and due
   * deadlines apply.
   */
  async observe(): Promise<void> {
    return this.#observe(this.directory.status());
  }

  /** The signal, then the stop file. A directory that does not answer would block the daemon. */
  readFiles(): void {
    if (!this.directory.answers || this.#source === null) return;
    this.#source.poll();
    this.#readStopFile();
  }

  close(): void {
    this.#isClosed = true;
    this.#polls.cancel();
    this.#source?.close();
  }

  /** The daemon stores a stop before it writes the file: without one, someone else wrote it. */
  #readStopFile(): void {
    const state = this.#options.state();
    if (state === null || state.status === 'failed' || this.#isClosed) return;
    if (isRequested(state) || taskDirStatus(state) !== 'same') return;
    const request = readStopRequest(state.taskDir);
    if (request !== null) this.#options.notice({ kind: 'stop_file_seen', says: request.reason });
  }

  /** A client that stayed open after an earlier loop still reports with the id of that run. */
  #isOwnRun(runId: string): boolean {
    const state = this.#options.state();
    if (state === null || runId === state.runId) return true;
    const client = state.agentProcess ?? this.agent.front();
    return client !== null && this.#options.launchFiles.runOf(client) === runId;
  }

  async #observe(status: TaskDirStatus | Promise<TaskDirStatus>): Promise<void> {
    const { clock, notice, mayTry } = this.#options;
    const state = this.#options.state();
    if (state === null || state.status === 'failed') return;
    const now = clock.now();
    const [seen, taskDir] = await Promise.all([this.agent.observe(loopAgent(state), now), status]);
    if (this.#isClosed) return;
    if ('seen' in seen) {
      notice({ kind: 'agent_seen', process: seen.seen });
      return;
    }
    const isGone = seen.agent === 'gone' || seen.agent === 'left';
    // The agent's last signal may have come after the last hint.
    if (isGone) this.readFiles();
    const taskStatus = isGone && taskDir === 'same' ? readTaskStatus(state.taskDir) : null;
    if (this.#isKnown(seen, taskDir)) return;
    const isKept = notice({ kind: 'observed', ...seen, taskDir, taskStatus, mayTry: mayTry() });
    const { agent, known } = seen;
    this.#last = isKept ? { state: this.#options.state(), agent, known, taskDir } : null;
  }

  /** Most observations of an idle machine: the same as before, of a loop that has not changed since. */
  #isKnown({ agent, known }: AgentObservation, taskDir: TaskDirStatus): boolean {
    const [last, state] = [this.#last, this.#options.state()];
    if (last === null || state === null || last.state !== state || !isSettled(state)) return false;
    return last.agent === agent && last.known === known && last.taskDir === taskDir;
  }

  async #beat(): Promise<void> {
    const state = this.#options.state();
    if (state?.status !== 'running') return;
    const screen = await this.screen.observe(state.agentProcess);
    if (screen === null || this.#isClosed) return;
    this.#options.notice({ kind: 'snapshot', ...screen });
  }
}
