/**
 * Runs one auto loop: feeds what it sees to the machine, keeps state and events in one transaction,
 * performs the effects. Owns the loop's clock, timers and watch; decides nothing.
 */
import { StopFileReason } from '../../shared/auto-signal.ts';
import type { Loop } from '../../shared/model.ts';
import type { SessionOwner, TerminalEnd } from '../sessions/session-owners.ts';
import type { LaunchOutcome } from './agent-launch.ts';
import { AgentWitness } from './agent-witness.ts';
import type { StoredLoop } from './auto-store.ts';
import { removeControlFiles } from './control-files.ts';
import { DirectoryWitness } from './directory-witness.ts';
import { LoopClock } from './loop-clock.ts';
import { loopNeed } from './loop-need.ts';
import { LoopEffects } from './loop-effects.ts';
import { LoopRecord } from './loop-record.ts';
import { LoopStart, tagOf } from './loop-start.ts';
import { LoopTimers } from './loop-timers.ts';
import { loopView, noLoopView } from './loop-view.ts';
import type { Happening, LoopState, TaskDirSight } from './machine/loop-state.ts';
import { nextDeadline, transition } from './machine/transition.ts';
import { openSignals } from './open-signals.ts';
import { PictureWitness } from './picture-witness.ts';
import type { SignalSource } from './signal-source.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import { readTaskStatus } from './task-status.ts';

export class LoopSupervisor implements SessionOwner {
  readonly #options: SupervisorOptions;
  readonly #stopped = new AbortController();
  readonly #sessionName: string;
  readonly #age: LoopClock;
  readonly #record: LoopRecord;
  readonly #witness: AgentWitness;
  readonly #directory: DirectoryWitness;
  readonly #pictures: PictureWitness;
  readonly #start: LoopStart;
  readonly #effects: LoopEffects;
  readonly #timers: LoopTimers;
  #state: LoopState | null;
  #source: SignalSource | null = null;
  #detach: () => void = () => undefined;

  constructor(stored: StoredLoop, options: SupervisorOptions) {
    const { state, savedAtMs } = stored;
    this.#options = options;
    this.#sessionName = state.sessionName;
    this.#state = state;
    this.#age = new LoopClock(state.ageMs, savedAtMs, options.clock);
    this.#record = new LoopRecord(state, options, (what, of) => this.#effects.perform(what, of));
    this.#witness = new AgentWitness(state.sessionName, options);
    this.#directory = new DirectoryWitness(state, options);
    this.#pictures = new PictureWitness(state.sessionName, options);
    this.#timers = new LoopTimers(options.clock);
    const shared = {
      ...options,
      sessionName: state.sessionName,
      state: () => this.#state,
      notice: (happening: Happening) => this.#notice(happening),
    };
    const { signal } = this.#stopped;
    const readSignal = () => this.#readSignal();
    this.#start = new LoopStart({ ...shared, readSignal, signal });
    const launch = (tag: string) => void this.#start.launch(tag);
    const [pictures, directory] = [this.#pictures, this.#directory];
    this.#effects = new LoopEffects({ ...shared, readSignal, pictures, directory, launch });
  }

  /** The current state; null once the loop has ended. */
  get state(): LoopState | null {
    return this.#state;
  }

  view(): Loop {
    const state = this.#state;
    if (state === null) return noLoopView(this.#sessionName);
    const ageMs = state.status === 'failed' ? state.ageMs : this.#age.ms();
    return loopView(state, ageMs, this.#options.clock.now());
  }

  /** First start, after the row was stored. Gives the outcome; a failed start has ended the loop. */
  async start(): Promise<LaunchOutcome> {
    const state = this.#state;
    if (state === null) throw new Error('the loop has ended');
    removeControlFiles(state);
    this.#arm(state);
    return this.#start.launch(tagOf(state));
  }

  /**
   * Takes up a loop that an earlier daemon left. One that `mayHaveEnded` since its row was written
   * (the row is from a backup) goes on only if its very agent is still at work.
   */
  async recover(mayHaveEnded = false): Promise<void> {
    const state = this.#state;
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
    if (mayHaveEnded && !(await this.#witness.isAtWork(state))) {
      const error = 'its row came with a backup, and its agent is not at work any more';
      this.apply({ kind: 'abandon', reason: 'restored', error });
      return;
    }
    this.#arm(state);
    if (state.status === 'starting') return this.#start.resume(state, this.#age.ms());
    const told =
      state.stop?.by === 'agent' ? undefined : StopFileReason.safeParse(state.stop?.reason);
    if (told?.success === true) void this.#effects.writeStopFile(told.data, state);
    await this.look();
  }

  /** Gives the seq of the event that follows, if there is one. Throws when it cannot be stored. */
  apply(happening: Happening, asked = true): number | null {
    const before = this.#state;
    if (before === null) return null;
    const { clock, policy } = this.#options;
    const wallMs = clock.now();
    const now = { ageMs: this.#age.ms(), wallMs };
    const after = transition(this.#record.from(before), { ...happening, ...now }, policy);
    const { state, effects } = after;
    if (state === null && this.#directory.answers) removeControlFiles(before);
    const seq = this.#record.keep(before, after, wallMs, asked);
    this.#state = state;
    if (state !== null) this.#expectAgent(state);
    if (state?.status === 'running' || happening.kind === 'signal') this.#start.shown();
    if (effects.some(({ kind }) => kind === 'launch')) this.#start.forget();
    this.#options.turns.follow(this.#sessionName, after);
    this.#options.attention.require(this.#sessionName, state === null ? null : loopNeed(state));
    if (state === null || state.status === 'failed') this.#letGo(before);
    else this.#armDeadline(state);
    if (state === null) this.#options.onEnded();
    for (const effect of effects) this.#effects.perform(effect, state ?? before);
    return seq;
  }

  /** Never rejects, and takes a bounded time: what cannot be seen is `unknown`, what is due is due. */
  async look(): Promise<void> {
    return this.#look(this.#directory.sight());
  }

  terminalGone(how: TerminalEnd): 'keep' | 'let_go' {
    this.#readSignal();
    const before = this.#state;
    this.#notice({ kind: 'terminal_gone', how });
    // An agent that ignores the end of its terminal would work where nobody sees it.
    if (before !== null && this.#state === null) void this.#effects.endRun(before);
    const status = this.#state?.status;
    return status === undefined || status === 'failed' ? 'let_go' : 'keep';
  }

  /** The daemon stops: keeps the loop's clock, lets go of everything, ends nothing. */
  dispose(): void {
    const state = this.#state;
    if (state !== null && state.status !== 'failed') this.#record.keepClock(state, this.#age.ms());
    this.#letGo();
  }

  /** The same for what nobody waits for. Gives false when it could not be stored: nothing changed. */
  #notice(happening: Happening): boolean {
    try {
      this.apply(happening, false);
      return true;
    } catch (error) {
      this.#options.logger.error({ err: error, session: this.#sessionName }, 'not stored');
      return false;
    }
  }

  async #look(sight: TaskDirSight | Promise<TaskDirSight>): Promise<void> {
    const state = this.#state;
    if (state === null || state.status === 'failed') return;
    const { clock, turns } = this.#options;
    const looking = this.#witness.look(this.#record.from(state), clock.now());
    const [seen, taskDir] = await Promise.all([looking, sight]);
    if (this.#stopped.signal.aborted) return;
    if ('seen' in seen) {
      this.#notice({ kind: 'agent_seen', process: seen.seen });
      return;
    }
    const isGone = seen.agent === 'gone' || seen.agent === 'left';
    // The agent's last words may have come after its last hint.
    if (isGone) this.#readSignal();
    const taskStatus = isGone && taskDir === 'same' ? readTaskStatus(state.taskDir) : null;
    const turn = turns.isTurnOf(this.#sessionName);
    this.#notice({ kind: 'look', ...seen, taskDir, taskStatus, turn });
  }

  #arm(state: LoopState): void {
    const { sessions, clock, logger } = this.#options;
    this.#detach = sessions.owners.attach(this.#sessionName, this);
    const notice = (what: Happening) => this.#notice(what);
    this.#source = openSignals(state, { clock, logger, age: this.#age, notice });
    this.#armDeadline(state);
    this.#timers.repeat(this.#options.signalPollMs, async () => {
      const taskDir = await this.#directory.sight();
      if (taskDir !== 'unknown') this.#readSignal();
      await this.#look(taskDir);
    });
    this.#timers.repeat(this.#options.heartbeatMs, async () => this.#beat());
  }

  #armDeadline(state: LoopState): void {
    const due = nextDeadline(state, this.#options.policy);
    this.#timers.setDeadline(due === null ? null : due - this.#age.ms(), () => {
      // An end, a kill and a nudge want a fresh look.
      const status = this.#state?.status;
      if (status === 'stopping' || status === 'quota_wait') void this.look();
      else this.#notice({ kind: 'tick' });
    });
  }

  /** A directory that does not answer would hold up the daemon. */
  #readSignal(): void {
    if (this.#directory.answers) this.#source?.look();
  }

  async #beat(): Promise<void> {
    const state = this.#state;
    if (state?.status !== 'running') return;
    const picture = await this.#pictures.look(state);
    if (picture === null || this.#stopped.signal.aborted) return;
    this.#notice({ kind: 'picture', ...picture });
  }

  #expectAgent({ agentProcess, runId }: LoopState): void {
    if (agentProcess === null) return;
    const { monitor, runs } = this.#options;
    monitor.expect(this.#sessionName, agentProcess, runs.statusLineFile(runId));
  }

  #letGo(over?: LoopState): void {
    if (over !== undefined) this.#options.runs.end(over.runId, over.agentProcess);
    this.#stopped.abort();
    this.#timers.cancel();
    this.#source?.close();
    this.#detach();
  }
}
