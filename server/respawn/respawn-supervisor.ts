/**
 * Keeps one session going: feeds the supervised machine with what its watch observes and people
 * request, and performs the effects. Owns its clock, which stops while no daemon runs; decides
 * nothing.
 */
import type { BudgetHold } from '../budgets/budgeted-work.ts';
import type { RespawnView } from '../../shared/schema/loops/respawn.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { HookEvent } from '../agents/hooks/hook-event.ts';
import type { Append } from '../events/event-log.ts';
import type { SessionOwner, TerminalEnd } from '../sessions/session-owners.ts';
import { Stopwatch } from '../supervision/stopwatch.ts';
import { Supervised } from '../supervision/supervised.ts';
import type { UnstampedInput, RespawnState, RespawnTransition } from './machine/respawn-state.ts';
import { nextDeadline, transition } from './machine/transition.ts';
import { RespawnEffects } from './respawn-effects.ts';
import { respawnNeed } from './respawn-need.ts';
import type { RespawnOptions } from './respawn-options.ts';
import { respawnView } from './respawn-view.ts';
import { RespawnWatch } from './respawn-watch.ts';
import { toStored } from './stored-respawn.ts';

/** A timed run is that much longer, at most, for each daemon that was killed. */
const HEARTBEAT_MS = 30_000;

export interface RespawnSupervisorOptions extends RespawnOptions {
  /** Its row is gone. */
  onEnded: () => void;
}

export class RespawnSupervisor implements SessionOwner {
  readonly #options: RespawnSupervisorOptions;
  readonly #session: string;
  readonly #subject: Subject;
  readonly #quotaKey: string;
  readonly #age: Stopwatch;
  readonly #supervised: Supervised<RespawnState, UnstampedInput, RespawnTransition>;
  /** While it runs. */
  #watch: RespawnWatch | null = null;
  readonly #effects: RespawnEffects;
  #detach: () => void = () => undefined;
  #savedAgeMs: number;

  constructor(state: RespawnState, clockMs: number, options: RespawnSupervisorOptions) {
    this.#options = options;
    this.#session = state.session;
    this.#subject = { kind: 'respawn', id: state.session };
    this.#quotaKey = `respawn ${state.session}`;
    this.#age = new Stopwatch(clockMs, true, options.clock);
    this.#savedAgeMs = clockMs;
    this.#supervised = this.#supervise(state);
    this.#effects = new RespawnEffects({
      ...options,
      session: state.session,
      program: () => this.#watch?.program ?? null,
      acceptsPlans: () => this.#acceptsPlans(),
      submit: (input) => void this.#supervised.submit(input),
    });
  }

  /** Null once its session has ended. */
  get state(): RespawnState | null {
    return this.#supervised.state;
  }

  view(): RespawnView | null {
    const { state } = this;
    if (state === null) return null;
    return respawnView(state, { clockMs: this.#age.ms(), wallMs: this.#options.clock.now() });
  }

  /** Throws a storage error, and what `more` throws, with nothing changed. */
  apply(input: UnstampedInput, more?: (append: Append) => void): number | null {
    return this.#supervised.apply(input, more)[0] ?? null;
  }

  /** Continues what an earlier daemon left. A row from a backup gives no right to type. */
  recover(isFromBackup: boolean): void {
    const { sessions, attention } = this.#options;
    if (!sessions.has(this.#session)) {
      this.apply({ kind: 'owner_gone', detail: 'its session has ended' });
      return;
    }
    if (isFromBackup) this.apply({ kind: 'from_backup' });
    if (this.state === null) return;
    attention.require(this.#subject, respawnNeed(this.state));
    if (this.state.run !== null) this.#open();
    this.apply({ kind: 'restored' });
    this.#supervised.armDeadline();
  }

  /** The agent of the session changed. */
  agentChanged(): void {
    void this.#watch?.observe(true);
  }

  heard(event: HookEvent): void {
    this.#watch?.heard(event);
  }

  /** A request of the agent can be answered. */
  asked(): void {
    void this.#watch?.observe();
  }

  /** A request of the agent was answered, or is no longer open. */
  answered(): void {
    if (this.#watch === null) return;
    this.#notice({ kind: 'hook', hook: 'answered' });
    void this.#watch.observe();
  }

  terminalEnded(how: TerminalEnd): 'release' {
    this.#notice({ kind: 'owner_gone', detail: `the terminal has ended (${how})` });
    return 'release';
  }

  /** The daemon stops: stores its clock, releases everything, ends nothing. */
  dispose(): void {
    const { log, store, logger } = this.#options;
    const { state } = this;
    try {
      if (state?.run != null) log.write(() => store.save(state, this.#age.ms()));
    } catch (error) {
      logger.error({ err: error, session: this.#session }, 'not stored');
    }
    this.#close();
    this.#supervised.dispose();
    this.#effects.dispose();
  }

  #supervise(state: RespawnState): Supervised<RespawnState, UnstampedInput, RespawnTransition> {
    const { clock, attention } = this.#options;
    return new Supervised<RespawnState, UnstampedInput, RespawnTransition>(
      state,
      {
        transition: (before, input) =>
          transition(before, { ...input, clockMs: this.#age.ms(), wallMs: clock.now() }),
        isWorthStoring: (before, after) =>
          this.#age.ms() - this.#savedAgeMs >= HEARTBEAT_MS || toStored(before) !== toStored(after),
        store: (append, before, { state: after }) => this.#store(append, before, after),
        onStored: (before, { state: after }) => this.#onStored(before, after),
        require: (after) => attention.require(this.#subject, after && respawnNeed(after)),
        dueInMs: (after) => {
          const due = nextDeadline(after);
          return due === null ? null : due - this.#age.ms();
        },
        onDue: () => {
          // The message that a turn ended with is read a moment after its end.
          this.#watch?.observeAgent();
          return this.#supervised.notice({ kind: 'due' });
        },
        perform: (effect, of) => this.#effects.perform(effect, of),
      },
      { ...this.#options, subject: { respawn: this.#session }, quotaKey: this.#quotaKey },
    );
  }

  #store(append: Append, before: RespawnState, after: RespawnState | null): void {
    const { store, sessions } = this.#options;
    const clockMs = this.#age.ms();
    if (after === null) store.remove(this.#session);
    else store.save(after, clockMs);
    if (before.run === null && after?.run != null) {
      sessions.owners.claim(append, this.#session, 'respawn');
    } else if (before.run !== null && after?.run == null) {
      sessions.owners.release(append, this.#session);
    }
    this.#savedAgeMs = clockMs;
  }

  #onStored(before: RespawnState, after: RespawnState | null): void {
    if (before.run === null && after?.run != null) this.#open();
    if (before.run !== null && after?.run == null) this.#close();
    if (after === null) this.#options.onEnded();
  }

  #open(): void {
    this.#detach = this.#options.sessions.owners.attach(this.#session, this);
    const watch = new RespawnWatch({
      ...this.#options,
      session: this.#session,
      notice: (input) => this.#notice(input),
      mayTry: () => this.#options.quota.admits(this.#quotaKey),
      budgetSpent: () => this.#budgetSpent(),
    });
    this.#watch = watch;
    watch.open();
  }

  /** Its agent counts for the session: person, project, day and everything limit it. */
  #budgetSpent(): BudgetHold | null {
    const { sessions, budgets } = this.#options;
    const person = this.#supervised.state?.run?.startedBy ?? '';
    const work = {
      subject: this.#subject,
      project: sessions.has(this.#session) ? sessions.get(this.#session).cwd : '',
      person,
    };
    const hold = budgets.check(work);
    return hold?.kind === 'spent' ? hold : null;
  }

  #acceptsPlans(): boolean {
    const { state } = this;
    return state?.run?.pausedAtMs === null && state.config.auto_accept_plans;
  }

  #close(): void {
    this.#watch?.close();
    this.#watch = null;
    this.#detach();
  }

  #notice(input: UnstampedInput): void {
    this.#supervised.notice(input);
  }
}
