/**
 * Runs one auto loop: feeds what it sees to the machine, keeps state and events in one transaction,
 * performs the effects. Owns the loop's clock, timers and watch; decides nothing.
 */
import { isRouted, StopFileReason } from '../../shared/auto-signal.ts';
import type { Loop } from '../../shared/model.ts';
import type { Append } from '../events/event-log.ts';
import { messageOf } from '../lib/app-error.ts';
import { type Timer, toIso } from '../lib/clock.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';
import type { SessionOwner } from '../sessions/sessions.ts';
import { awaitAgent, type Launch, launchAgent, type LaunchOutcome } from './agent-launch.ts';
import { AgentWitness } from './agent-witness.ts';
import type { StoredLoop } from './auto-store.ts';
import { removeControlFiles, sightOf, writeStopFile } from './control-files.ts';
import { endProcessGroup, interruptProgram } from './end-agent.ts';
import { isWorthSaving } from './is-worth-saving.ts';
import type { AgentSight, Happening, LoopEffect, LoopState } from './loop-state.ts';
import { LoopClock } from './loop-clock.ts';
import { loopView, noLoopView } from './loop-view.ts';
import { SignalSource } from './signal-source.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import { readTaskStatus } from './task-status.ts';
import { nextDeadline, transition } from './transition.ts';

/** A start that was interrupted longer ago than this is not finished by itself. */
const START_TOO_OLD_MS = 5 * 60_000;

export class LoopSupervisor implements SessionOwner {
  readonly #options: SupervisorOptions;
  readonly #stopped = new AbortController();
  readonly #sessionName: string;
  readonly #age: LoopClock;
  readonly #witness: AgentWitness;
  #state: LoopState | null;
  #savedAgeMs: number;
  #source: SignalSource | null = null;
  #detach: () => void = () => undefined;
  #deadline: Timer | null = null;
  #poll: Timer | null = null;
  #killing: Timer | null = null;
  /** Since the newest launch the agent has shown itself. */
  #hasRun = false;

  constructor(stored: StoredLoop, options: SupervisorOptions) {
    const { state, savedAtMs } = stored;
    this.#options = options;
    this.#sessionName = state.sessionName;
    this.#state = state;
    this.#age = new LoopClock(state.ageMs, savedAtMs, options.clock);
    this.#witness = new AgentWitness(state.sessionName, options);
    this.#savedAgeMs = state.ageMs;
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
    const state = this.#require();
    removeControlFiles(state);
    this.#arm(state);
    return this.#launch(this.#tag(state), launchAgent);
  }

  /** Takes up a loop that an earlier daemon left. */
  async recover(): Promise<void> {
    const state = this.#require();
    if (state.status === 'failed') {
      // One whose row cannot be read may still hold its session.
      this.#options.log.write((append) =>
        this.#options.sessions.release(append, this.#sessionName),
      );
      return;
    }
    if (!this.#options.sessions.has(this.#sessionName)) {
      const error = `there is no session named ${this.#sessionName}`;
      this.apply({ kind: 'abandon', reason: 'session_unknown', error });
      return;
    }
    this.#expectAgent(state);
    this.#arm(state);
    if (state.status === 'starting') return this.#resumeStart(state);
    const told =
      state.stop?.by === 'agent' ? undefined : StopFileReason.safeParse(state.stop?.reason);
    if (told?.success === true) this.#writeStopFile(told.data);
    await this.#look();
  }

  /** Feeds one happening to the machine and does what follows. Throws when it cannot be stored. */
  apply(happening: Happening): void {
    const before = this.#state;
    if (before === null) return;
    const { clock, log, policy, heartbeatMs } = this.#options;
    const wallMs = clock.now();
    const input = { ...happening, ageMs: this.#age.ms(), wallMs };
    const { state, events, effects } = transition(before, input, policy);
    if (state === null) removeControlFiles(before);
    if (
      state === null ||
      events.length > 0 ||
      isWorthSaving(before, state, this.#savedAgeMs, heartbeatMs)
    ) {
      log.write((append) => {
        events.forEach(append);
        this.#store(append, state, wallMs);
      });
      this.#savedAgeMs = state?.ageMs ?? 0;
    }
    this.#state = state;
    if (state !== null) this.#expectAgent(state);
    if (state?.status === 'running' || happening.kind === 'signal') this.#hasRun = true;
    if (effects.some(({ kind }) => kind === 'launch')) this.#hasRun = false;
    if (state === null || state.status === 'failed') this.#letGo(before);
    else this.#armDeadline(state);
    if (state === null) this.#options.onEnded();
    for (const effect of effects) this.#perform(effect);
  }

  /** The same for what nobody waits for. Gives false when it could not be stored: nothing changed. */
  #notice(happening: Happening): boolean {
    try {
      this.apply(happening);
      return true;
    } catch (error) {
      this.#options.logger.error({ err: error, session: this.#sessionName }, 'not stored');
      return false;
    }
  }

  terminalGone(how: 'closed' | 'lost' | 'requested'): 'keep' | 'let_go' {
    this.#source?.look();
    this.#notice({ kind: 'terminal_gone', how });
    const status = this.#state?.status;
    return status === undefined || status === 'failed' ? 'let_go' : 'keep';
  }

  /** The daemon stops: keeps the loop's clock, lets go of everything, ends nothing. */
  dispose(): void {
    const state = this.#state;
    if (state !== null && state.status !== 'failed') {
      const { log, store, clock, logger } = this.#options;
      const kept = { ...state, ageMs: this.#age.ms() };
      try {
        log.write(() => store.save(kept, clock.now()));
      } catch (error) {
        logger.error({ err: error, session: this.#sessionName }, 'not stored');
      }
    }
    this.#letGo();
  }

  #arm(state: LoopState): void {
    const { sessions, clock, logger } = this.#options;
    // A directory put in the place of the loop's own is not read: the next look ends the loop.
    const isOurs = () => sightOf(state) === 'same';
    this.#detach = sessions.attachOwner(this.#sessionName, this);
    this.#source = new SignalSource({
      taskDir: state.taskDir,
      startedAtMs: Date.parse(state.startedAt),
      judged: state.signalMark,
      clock,
      handler: {
        accepted: (signal, mark) =>
          isOurs() && this.#notice({ kind: 'signal', signal, suspicious: !isRouted(signal), mark }),
        rejected: (cause, detail, mark) =>
          isOurs() && this.#notice({ kind: 'signal_rejected', cause, detail, mark }),
        unwatched: (err) =>
          logger.warn({ err, session: this.#sessionName }, 'no watch: the signal is polled for'),
      },
    });
    this.#armDeadline(state);
    this.#armPoll();
  }

  #armDeadline(state: LoopState): void {
    this.#deadline?.cancel();
    const due = nextDeadline(state, this.#options.policy);
    if (due === null) return;
    const wait = Math.max(0, Math.ceil(due - this.#age.ms()));
    this.#deadline = this.#options.clock.after(wait, () => {
      // What is due in `stopping` may be the end itself, and that wants a fresh look.
      if (this.#state?.idleSinceMs === null) this.#notice({ kind: 'tick' });
      else void this.#look();
    });
  }

  #armPoll(): void {
    this.#poll = this.#options.clock.after(this.#options.signalPollMs, () => {
      this.#source?.look();
      void this.#look().finally(() => {
        if (!this.#stopped.signal.aborted) this.#armPoll();
      });
    });
  }

  async #look(): Promise<void> {
    const state = this.#state;
    if (state === null || state.status === 'failed') return;
    try {
      const agent = await this.#agentSight(state);
      // The agent's last words may have come after its last hint.
      if (agent === 'gone' || agent === 'left') this.#source?.look();
      const taskStatus =
        agent === 'gone' || agent === 'left' ? readTaskStatus(state.taskDir) : null;
      this.apply({ kind: 'look', agent, taskDir: sightOf(state), taskStatus });
    } catch (error) {
      this.#options.logger.warn({ err: error, session: this.#sessionName }, 'a look failed');
    }
  }

  /** The witness, with what it finds out on the way: an agent nobody had seen start. */
  async #agentSight(state: LoopState): Promise<AgentSight> {
    const sight = await this.#witness.sight(state);
    if (typeof sight === 'string') return sight;
    this.#notice({ kind: 'agent_seen', process: sight.seen });
    return 'working';
  }

  #perform(effect: LoopEffect): void {
    switch (effect.kind) {
      case 'launch':
        void this.#launch(effect.tag, launchAgent);
        return;
      case 'write_stop_file':
        this.#writeStopFile(effect.reason);
        return;
      case 'interrupt':
        void interruptProgram(this.#sessionName, this.#options);
        return;
      case 'kill':
        this.#kill();
        return;
    }
  }

  async #launch(tag: string, bringUp: typeof launchAgent): Promise<LaunchOutcome> {
    const state = this.#state;
    if (state === null) return { ok: false, error: 'the loop ended before its agent came up' };
    const launch: Launch = {
      sessionName: this.#sessionName,
      runId: state.runId,
      agent: state.agent,
      taskDir: state.taskDir,
      tag,
      wanted: () => this.#state?.status === 'starting' && this.#tag(this.#state) === tag,
      shown: () => this.#hasRun,
    };
    const options = { ...this.#options, signal: this.#stopped.signal };
    const outcome = await bringUp(launch, options).catch((error: unknown): LaunchOutcome => ({
      ok: false,
      error: messageOf(error),
    }));
    // One that ended while its files were written has let go of them already.
    if (this.#state === null)
      this.#options.runs.end(state.runId, outcome.ok ? outcome.process : null);
    if (outcome.ok && outcome.process !== null) {
      this.#notice({ kind: 'agent_seen', process: identity(outcome.process) });
    }
    if (outcome.ok) return outcome;
    this.#source?.look();
    if (this.#hasRun) return { ok: true, process: null };
    // A daemon that stops while it waits leaves the start to the next one.
    if (this.#stopped.signal.aborted) return outcome;
    this.#notice({ kind: 'launch_failed', reason: 'agent_not_started', error: outcome.error });
    return outcome;
  }

  /** A start was stored but nobody knows how far it came: the tag in the terminal tells. */
  async #resumeStart(state: LoopState): Promise<void> {
    const { sessions } = this.#options;
    const tag = this.#tag(state);
    const look = sessions.look(this.#sessionName);
    const reachable = look.kind === 'shell' || look.kind === 'program';
    const typed = reachable && (await sessions.tagOf(this.#sessionName)) === tag;
    // A signal or a closed terminal may have decided while we asked.
    if (this.#state?.status !== 'starting') return;
    if (typed) void this.#launch(tag, awaitAgent);
    else if (this.#age.ms() <= START_TOO_OLD_MS || state.launchCount > 1) {
      void this.#launch(tag, launchAgent);
    } else {
      const error = 'the daemon ended before the agent was started';
      this.#notice({ kind: 'abandon', reason: 'start_interrupted', error });
    }
  }

  #expectAgent({ agentProcess, runId }: LoopState): void {
    if (agentProcess === null) return;
    const { monitor, runs } = this.#options;
    monitor.expect(this.#sessionName, agentProcess, runs.statusLineFile(runId));
  }

  #writeStopFile(reason: StopFileReason): void {
    const { clock, logger } = this.#options;
    if (this.#state === null || writeStopFile(this.#state, reason, toIso(clock.now()))) return;
    const message = 'the stop file could not be written; the agent is interrupted after the grace';
    logger.warn({ session: this.#sessionName }, message);
  }

  #kill(): void {
    const agent = this.#state?.agentProcess ?? null;
    if (agent === null) return;
    this.#killing = endProcessGroup(agent, this.#options.clock, () => void this.#look());
  }

  #store(append: Append, state: LoopState | null, wallMs: number): void {
    const { store, sessions } = this.#options;
    if (state === null) store.remove(this.#sessionName);
    else store.save(state, wallMs);
    if (state === null || state.status === 'failed') sessions.release(append, this.#sessionName);
  }

  #letGo(over?: LoopState): void {
    if (over !== undefined) this.#options.runs.end(over.runId, over.agentProcess);
    this.#stopped.abort();
    this.#deadline?.cancel();
    this.#poll?.cancel();
    this.#killing?.cancel();
    this.#source?.close();
    this.#detach();
  }

  #tag(state: LoopState): string {
    return `${state.runId}.${state.launchCount}`;
  }

  #require(): LoopState {
    if (this.#state === null) throw new Error('the loop has ended');
    return this.#state;
  }
}

function identity({ pid, startedAt }: ProcessIdentity): ProcessIdentity {
  return { pid, startedAt };
}
