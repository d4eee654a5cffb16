/**
 * Runs one auto loop: feeds the supervised machine with what its watch observes and people request,
 * and performs the effects. Owns the loop's clock; decides nothing.
 */
import type { Loop } from '../../../shared/schema/model.ts';
import type { Subject } from '../../../shared/schema/events/subject.ts';
import { type BudgetedWork, unstoredUse } from '../../budgets/budgeted-work.ts';
import type { SessionOwner, TerminalEnd } from '../../sessions/session-owners.ts';
import { downtimeMs, Stopwatch } from '../../supervision/stopwatch.ts';
import { Supervised } from '../../supervision/supervised.ts';
import type { LaunchOutcome } from '../../supervision/terminal/agent-launch.ts';
import { AgentStart } from '../../supervision/terminal/agent-start.ts';
import { tagOf } from '../../supervision/terminal/terminal-agent.ts';
import { isSameRow, type StoredLoop } from '../stores/stored-loop.ts';
import { removeControlFiles } from '../directory/control-files.ts';
import { loopAgent, loopCommand } from './loop-agent.ts';
import type { LoopSession } from './adopt-loop.ts';
import { enforcing, LoopEffects } from './loop-effects.ts';
import { loopNeed } from './loop-need.ts';
import { loopView, noLoopView } from '../loop-view.ts';
import { LoopRow } from './loop-row.ts';
import { loopWork } from './loop-usage.ts';
import { LoopWatch } from './loop-watch.ts';
import type { UnstampedInput } from '../machine/loop-input.ts';
import type { LoopState, Transition } from '../machine/loop-state.ts';
import { nextDeadline, transition } from '../machine/transition.ts';
import type { SupervisorOptions } from './supervisor-options.ts';

export class LoopSupervisor implements SessionOwner {
  readonly #options: SupervisorOptions;
  readonly #stopped = new AbortController();
  readonly #sessionName: string;
  readonly #subject: Subject;
  /** Tasks wait for the same quota, and may have the same names. */
  readonly #quotaKey: string;
  readonly #age: Stopwatch;
  readonly #row: LoopRow;
  readonly #supervised: Supervised<LoopState, UnstampedInput, Transition>;
  readonly #watch: LoopWatch;
  readonly #start: AgentStart;
  readonly #effects: LoopEffects;
  #detach: () => void = () => undefined;

  constructor({ state, savedAtMs }: StoredLoop, options: SupervisorOptions) {
    const { clock } = options;
    this.#options = options;
    this.#sessionName = state.sessionName;
    this.#subject = { kind: 'loop', id: state.sessionName };
    this.#quotaKey = `session ${state.sessionName}`;
    this.#row = new LoopRow(state, options);
    // Time that passed without a daemon counts.
    this.#age = new Stopwatch(state.ageMs + downtimeMs(savedAtMs, clock), true, clock);
    this.#watch = new LoopWatch(state, {
      ...options,
      age: this.#age,
      state: () => this.#supervised.latest,
      notice: (input) => this.#supervised.notice(input),
      mayTry: () => options.quota.admits(this.#quotaKey),
    });
    this.#supervised = this.#supervise(state);
    this.#start = this.#starter(state);
    this.#effects = new LoopEffects({
      ...options,
      sessionName: state.sessionName,
      state: () => this.state,
      screen: this.#watch.screen,
      directory: this.#watch.directory,
      launch: (tag) => void this.#start.launch(tag),
      notice: (input) => void this.#supervised.submit(input),
      readFiles: () => this.#watch.readFiles(),
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

  /** First start, after the row was stored. A failed start has ended the loop. */
  async start(): Promise<LaunchOutcome> {
    const { state } = this;
    if (state === null) throw new Error('the loop ended');
    removeControlFiles(state);
    this.#options.budgets.began(this.#work(state));
    this.#arm(state);
    return this.#start.launch(tagOf(state));
  }

  /**
   * Continues a loop that an earlier daemon left. One that `mayHaveEnded` since its row was written
   * (the row is from a backup) continues only if that same agent is still at work.
   */
  async recover(session: LoopSession, mayHaveEnded: boolean): Promise<void> {
    const { state } = this;
    if (state === null) return;
    this.#options.attention.require(this.#subject, loopNeed(state));
    if (state.status === 'failed') {
      const { log, sessions } = this.#options;
      // A loop whose row cannot be read may still hold its session.
      log.write((append) => sessions.owners.release(append, this.#sessionName));
      return;
    }
    if (session.kind === 'missing') return void this.apply({ ...session, kind: 'abandon' });
    this.#watch.expect(state);
    if (mayHaveEnded && !(await this.#watch.agent.isAtWork(loopAgent(state)))) {
      const error = 'it was restored from a backup, and its agent is no longer running';
      this.apply({ kind: 'abandon', reason: 'restored', error });
      return;
    }
    await this.#effects.recoverStopFile(state, session.kind === 'lost');
    if (session.kind === 'lost') this.terminalEnded('lost');
    if (this.state === null) return;
    this.#arm(this.state);
    // A stop that was asked for while no daemon ran comes before anything else.
    this.#watch.readFiles();
    if (this.#supervised.state?.check != null) this.#effects.perform({ kind: 'check' }, state);
    if (state.status === 'starting') return this.#start.resume(loopAgent(state), this.#age.ms());
    await this.observe();
  }

  /** The seq of the event that follows, if there is one. Throws when it cannot be stored. */
  apply(input: UnstampedInput): number | null {
    return this.#supervised.apply(input)[0] ?? null;
  }

  /** Never rejects, in bounded time: what cannot be observed is `unknown`; due deadlines apply. */
  async observe(): Promise<void> {
    return this.#watch.observe();
  }

  terminalEnded(how: TerminalEnd): 'keep' | 'release' {
    this.#watch.readFiles();
    const before = this.state;
    this.#supervised.notice({ kind: 'terminal_gone', how });
    // An agent that ignores the end of its terminal would keep working unseen.
    if (before !== null && this.state === null) void this.#effects.endRun(before);
    const status = this.state?.status;
    return status === undefined || status === 'failed' ? 'release' : 'keep';
  }

  /** Part of the caller's transaction; what it returns is called after the commit. */
  storeClock(): () => void {
    return this.#row.storeClock(this.state, this.#age.ms());
  }

  /** The daemon stops: releases everything, ends nothing. */
  dispose(): void {
    this.#release();
    this.#supervised.dispose();
  }

  #supervise(state: LoopState): Supervised<LoopState, UnstampedInput, Transition> {
    const { clock, policy, attention } = this.#options;
    return new Supervised<LoopState, UnstampedInput, Transition>(
      state,
      {
        transition: (before, input) => {
          if (input.kind === 'signal') this.#options.readUsage(before.sessionName);
          const ageMs = this.#age.ms();
          const use = unstoredUse(input, this.#row.unstoredMs(before, ageMs));
          const budget = this.#options.budgets.check(this.#work(before), use);
          const stamp = { ageMs, wallMs: clock.now(), budget };
          const result = transition(before, { ...input, ...stamp }, policy);
          if (result.state === null && this.#watch.directory.answers) removeControlFiles(before);
          return result;
        },
        isWorthStoring: (before, after) => !isSameRow(before, after),
        store: (append, before, result) => this.#row.store(append, before, result, this.#age.ms()),
        onStored: (before, result, input) => this.#onStored(before, result, input),
        require: (after) => attention.require(this.#subject, after && loopNeed(after)),
        dueInMs: (after) => {
          if (after.status === 'failed') return null;
          const due = nextDeadline(after, policy);
          return due === null ? null : due - this.#age.ms();
        },
        onDue: () => this.#onDue(),
        perform: (effect, of) => this.#effects.perform(effect, of),
        enforcing,
      },
      { ...this.#options, subject: { session: this.#sessionName }, quotaKey: this.#quotaKey },
    );
  }

  #starter(state: LoopState): AgentStart {
    return new AgentStart({
      ...this.#options,
      sessionName: this.#sessionName,
      command: loopCommand(state, this.#options.agents),
      agent: () => (this.state === null ? null : loopAgent(this.state)),
      seen: (process) => void this.#supervised.submit({ kind: 'agent_seen', process }),
      failed: (error) =>
        void this.#supervised.submit({ kind: 'launch_failed', reason: 'agent_not_started', error }),
      abandoned: (error) =>
        void this.#supervised.submit({ kind: 'abandon', reason: 'start_interrupted', error }),
      readSigns: () => this.#watch.readFiles(),
      signal: this.#stopped.signal,
    });
  }

  #work(state: LoopState): BudgetedWork {
    return loopWork(state, this.#options.sessions);
  }

  #onStored(before: LoopState, { state, effects }: Transition, { kind }: UnstampedInput): void {
    if (state !== null) this.#row.committed(state);
    if (state !== null) this.#watch.expect(state);
    if (state !== null && kind === 'signal') {
      this.#options.budgets.began(this.#work(state));
    }
    if (state?.status === 'running' || kind === 'signal') this.#start.shown();
    if (effects.some((effect) => effect.kind === 'launch')) this.#start.forget();
    if (state === null || state.status === 'failed') {
      this.#options.launchFiles.end(before.runId, before.agentProcess);
      this.#release();
      this.#options.budgets.freed();
    }
    if (state === null) this.#options.onEnded();
    else if (state.status === 'failed') this.#options.onFailed();
  }

  #onDue(): boolean {
    // An end, a kill and a nudge need a fresh observation.
    const status = this.state?.status;
    if (status !== 'stopping' && status !== 'quota_wait') {
      return this.#supervised.notice({ kind: 'tick' });
    }
    void this.observe();
    return true;
  }

  #arm(state: LoopState): void {
    this.#detach = this.#options.sessions.owners.attach(this.#sessionName, this);
    this.#watch.open(state);
    this.#supervised.armDeadline();
  }

  #release(): void {
    this.#stopped.abort();
    this.#watch.close();
    this.#effects.dispose();
    this.#detach();
  }
}
