/**
 * Runs one auto loop: observes its agent, its directory and its screen, and feeds what they show to
 * the supervised machine. Owns the loop's clock and polls; decides nothing.
 */
import { StopFileReason } from '../../shared/auto-signal.ts';
import type { Loop } from '../../shared/model.ts';
import type { Append } from '../events/event-log.ts';
import type { SessionOwner, TerminalEnd } from '../sessions/session-owners.ts';
import { Polls } from '../supervision/polls.ts';
import { awayMs, Stopwatch } from '../supervision/stopwatch.ts';
import { Supervised } from '../supervision/supervised.ts';
import type { LaunchOutcome } from '../supervision/terminal/agent-launch.ts';
import { AgentProbe } from '../supervision/terminal/agent-probe.ts';
import { AgentStart } from '../supervision/terminal/agent-start.ts';
import { ScreenProbe } from '../supervision/terminal/screen-probe.ts';
import { tagOf } from '../supervision/terminal/terminal-agent.ts';
import type { StoredLoop } from './auto-store.ts';
import { removeControlFiles } from './control-files.ts';
import { DirectoryWitness } from './directory-witness.ts';
import { loopAgent, loopCommand } from './loop-agent.ts';
import { LoopEffects } from './loop-effects.ts';
import { loopNeed } from './loop-need.ts';
import { loopView, noLoopView } from './loop-view.ts';
import type { Happening, LoopState, TaskDirSight, Transition } from './machine/loop-state.ts';
import { nextDeadline, transition } from './machine/transition.ts';
import { openSignals } from './open-signals.ts';
import type { SignalSource } from './signal-source.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import { readTaskStatus } from './task-status.ts';

export class LoopSupervisor implements SessionOwner {
  readonly #options: SupervisorOptions;
  readonly #stopped = new AbortController();
  readonly #sessionName: string;
  readonly #age: Stopwatch;
  readonly #supervised: Supervised<LoopState, Happening, Transition>;
  readonly #agent: AgentProbe;
  readonly #directory: DirectoryWitness;
  readonly #screen: ScreenProbe;
  readonly #start: AgentStart;
  readonly #effects: LoopEffects;
  readonly #polls: Polls;
  /** The loop's clock as it was last stored. */
  #savedAgeMs: number;
  #source: SignalSource | null = null;
  #detach: () => void = () => undefined;

  constructor({ state, savedAtMs }: StoredLoop, options: SupervisorOptions) {
    const { clock } = options;
    this.#options = options;
    this.#sessionName = state.sessionName;
    this.#savedAgeMs = state.ageMs;
    // The time while no daemon ran counts.
    this.#age = new Stopwatch(state.ageMs + awayMs(savedAtMs, clock), true, clock);
    this.#agent = new AgentProbe(state.sessionName, options);
    this.#directory = new DirectoryWitness(state, options);
    this.#screen = new ScreenProbe(state.sessionName, options);
    this.#polls = new Polls(clock);
    this.#supervised = this.#supervise(state);
    this.#start = this.#starter(state);
    this.#effects = new LoopEffects({
      ...options,
      sessionName: state.sessionName,
      state: () => this.state,
      screen: this.#screen,
      directory: this.#directory,
      launch: (tag) => void this.#start.launch(tag),
      notice: (happening) => void this.#supervised.tell(happening),
      readSignal: () => this.#readSignal(),
    });
  }

  /** The current state; null once the loop has ended. */
  get state(): LoopState | null {
    return this.#supervised.state;
  }

  view(): Loop {
    const { state } = this;
    if (state === null) return noLoopView(this.#sessionName);
    const ageMs = state.status === 'failed' ? state.ageMs : this.#age.ms();
    return loopView(state, ageMs, this.#options.clock.now());
  }

  /** First start, after the row was stored. Gives the outcome; a failed start has ended the loop. */
  async start(): Promise<LaunchOutcome> {
    const { state } = this;
    if (state === null) throw new Error('the loop has ended');
    removeControlFiles(state);
    this.#arm(state);
    return this.#start.launch(tagOf(state));
  }

  /**
   * Continues a loop that an earlier daemon left. One that `mayHaveEnded` since its row was written
   * (the row is from a backup) continues only if that same agent is still at work.
   */
  async recover(mayHaveEnded = false): Promise<void> {
    const { state } = this;
    if (state === null) return;
    this.#options.attention.require(this.#sessionName, loopNeed(state));
    if (state.status === 'failed') {
      // One whose row cannot be read may still hold its session.
      this.#options.log.write((append) =>
        this.#options.sessions.owners.release(append, this.#sessionName),
      );
      return;
    }
    if (!this.#options.sessions.has(this.#sessionName)) {
      const error = `there is no session named ${this.#sessionName}`;
      this.apply({ kind: 'abandon', reason: 'session_unknown', error });
      return;
    }
    this.#expectAgent(state);
    if (mayHaveEnded && !(await this.#agent.isAtWork(loopAgent(state)))) {
      const error = 'its row came with a backup, and its agent is not at work any more';
      this.apply({ kind: 'abandon', reason: 'restored', error });
      return;
    }
    this.#arm(state);
    if (state.status === 'starting') return this.#start.resume(loopAgent(state), this.#age.ms());
    const told =
      state.stop?.by === 'agent' ? undefined : StopFileReason.safeParse(state.stop?.reason);
    if (told?.success === true) void this.#effects.writeStopFile(told.data, state);
    await this.look();
  }

  /** Gives the seq of the event that follows, if there is one. Throws when it cannot be stored. */
  apply(happening: Happening): number | null {
    return this.#supervised.apply(happening)[0] ?? null;
  }

  /** Never rejects, and takes a bounded time: what cannot be seen is `unknown`, what is due is due. */
  async look(): Promise<void> {
    return this.#look(this.#directory.sight());
  }

  terminalGone(how: TerminalEnd): 'keep' | 'let_go' {
    this.#readSignal();
    const before = this.state;
    this.#supervised.notice({ kind: 'terminal_gone', how });
    // An agent that ignores the end of its terminal would work where nobody sees it.
    if (before !== null && this.state === null) void this.#effects.endRun(before);
    const status = this.state?.status;
    return status === undefined || status === 'failed' ? 'let_go' : 'keep';
  }

  /** The daemon stops: stores the loop's clock, releases everything, ends nothing. */
  dispose(): void {
    const { state } = this;
    if (state !== null && state.status !== 'failed') this.#storeClock(state);
    this.#release();
    this.#supervised.dispose();
  }

  #supervise(state: LoopState): Supervised<LoopState, Happening, Transition> {
    const { clock, policy, attention, quota } = this.#options;
    return new Supervised<LoopState, Happening, Transition>(
      state,
      {
        transition: (before, happening) => {
          const stamp = { ageMs: this.#age.ms(), wallMs: clock.now() };
          const result = transition(before, { ...happening, ...stamp }, policy);
          if (result.state === null && this.#directory.answers) removeControlFiles(before);
          return result;
        },
        isWorthStoring: (before, after) =>
          after.ageMs - this.#savedAgeMs >= this.#options.heartbeatMs ||
          JSON.stringify(lasting(before)) !== JSON.stringify(lasting(after)),
        store: (append, before, result) => this.#store(append, before, result),
        onStored: (before, result, happening) => this.#onStored(before, result, happening),
        require: (after) =>
          attention.require(this.#sessionName, after === null ? null : loopNeed(after)),
        dueInMs: (after) => {
          if (after.status === 'failed') return null;
          const due = nextDeadline(after, policy);
          return due === null ? null : due - this.#age.ms();
        },
        onDue: () => this.#onDue(),
        perform: (effect, of) => this.#effects.perform(effect, of),
      },
      {
        ...this.#options,
        subject: { session: this.#sessionName },
        // Loops and tasks may have the same names.
        quotaKey: `session ${this.#sessionName}`,
        quota,
      },
    );
  }

  #starter(state: LoopState): AgentStart {
    return new AgentStart({
      ...this.#options,
      sessionName: this.#sessionName,
      command: loopCommand(state, this.#options.agents),
      agent: () => (this.state === null ? null : loopAgent(this.state)),
      seen: (process) => void this.#supervised.tell({ kind: 'agent_seen', process }),
      failed: (error) =>
        void this.#supervised.tell({ kind: 'launch_failed', reason: 'agent_not_started', error }),
      abandoned: (error) =>
        void this.#supervised.tell({ kind: 'abandon', reason: 'start_interrupted', error }),
      readSigns: () => this.#readSignal(),
      signal: this.#stopped.signal,
    });
  }

  #store(append: Append, { sessionName }: LoopState, { state }: Transition): void {
    const { store, sessions, clock } = this.#options;
    if (state === null) store.remove(sessionName);
    else store.save(state, clock.now());
    if (state === null || state.status === 'failed') sessions.owners.release(append, sessionName);
    this.#savedAgeMs = state?.ageMs ?? 0;
  }

  #onStored(before: LoopState, { state, effects }: Transition, { kind }: Happening): void {
    if (state !== null) this.#expectAgent(state);
    if (state?.status === 'running' || kind === 'signal') this.#start.shown();
    if (effects.some((effect) => effect.kind === 'launch')) this.#start.forget();
    if (state === null || state.status === 'failed') {
      this.#options.runs.end(before.runId, before.agentProcess);
      this.#release();
    }
    if (state === null) this.#options.onEnded();
  }

  #onDue(): void {
    // An end, a kill and a nudge want a fresh look.
    const status = this.state?.status;
    if (status === 'stopping' || status === 'quota_wait') void this.look();
    else this.#supervised.tick({ kind: 'tick' });
  }

  async #look(sight: TaskDirSight | Promise<TaskDirSight>): Promise<void> {
    const { state } = this;
    if (state === null || state.status === 'failed') return;
    const { clock, quota } = this.#options;
    const now = clock.now();
    const [seen, taskDir] = await Promise.all([this.#agent.look(loopAgent(state), now), sight]);
    if (this.#stopped.signal.aborted) return;
    if ('seen' in seen) {
      this.#supervised.notice({ kind: 'agent_seen', process: seen.seen });
      return;
    }
    const isGone = seen.agent === 'gone' || seen.agent === 'left';
    // The agent's last words may have come after its last hint.
    if (isGone) this.#readSignal();
    const taskStatus = isGone && taskDir === 'same' ? readTaskStatus(state.taskDir) : null;
    const turn = quota.admits(`session ${this.#sessionName}`);
    this.#supervised.notice({ kind: 'look', ...seen, taskDir, taskStatus, turn });
  }

  #arm(state: LoopState): void {
    const { sessions, clock, logger, signalPollMs, heartbeatMs } = this.#options;
    this.#detach = sessions.owners.attach(this.#sessionName, this);
    const notice = (happening: Happening) => this.#supervised.notice(happening);
    this.#source = openSignals(state, { clock, logger, notice });
    this.#supervised.armDeadline();
    this.#polls.repeat(signalPollMs, async () => {
      const taskDir = await this.#directory.sight();
      if (taskDir !== 'unknown') this.#readSignal();
      await this.#look(taskDir);
    });
    this.#polls.repeat(heartbeatMs, async () => this.#beat());
  }

  /** A directory that does not answer would hold up the daemon. */
  #readSignal(): void {
    if (this.#directory.answers) this.#source?.look();
  }

  async #beat(): Promise<void> {
    const { state } = this;
    if (state?.status !== 'running') return;
    const screen = await this.#screen.look(state.agentProcess);
    if (screen === null || this.#stopped.signal.aborted) return;
    this.#supervised.notice({ kind: 'picture', ...screen });
  }

  #expectAgent({ agentProcess, runId }: LoopState): void {
    if (agentProcess === null) return;
    const { monitor, runs } = this.#options;
    monitor.expect(this.#sessionName, agentProcess, runs.statusLineFile(runId));
  }

  /** The clock alone, if it can be stored: without it, time since the last event counts. */
  #storeClock(state: LoopState): void {
    const { log, store, clock, logger } = this.#options;
    try {
      log.write(() => store.save({ ...state, ageMs: this.#age.ms() }, clock.now()));
    } catch (error) {
      logger.error({ err: error, session: state.sessionName }, 'not stored');
    }
  }

  #release(): void {
    this.#stopped.abort();
    this.#polls.cancel();
    this.#source?.close();
    this.#detach();
  }
}

/** A state without what changes on its own, and so is stored now and then only. */
function lasting({ ageMs, idleSinceMs, picture, recovering, ...state }: LoopState) {
  return state;
}
