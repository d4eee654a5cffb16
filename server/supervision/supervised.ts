/**
 * The shell of everything that is supervised. One input after another: the rules stamp it with the
 * time and ask the pure machine, state and events are stored in one transaction, then attention,
 * deadline and effects follow. A step that could not be stored changes nothing. Decides nothing
 * itself.
 */
import type { EventDraft } from '../../shared/schema/events/events.ts';
import type { Append, EventLog } from '../events/event-log.ts';
import { messageOf } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Deadline } from './deadline.ts';
import { PendingSetBack } from './pending-set-back.ts';
import type { QuotaGate, QuotaReport } from './quota-gate.ts';

/** A full disk may be cleared at any moment, and an input waits in memory until then. */
const STORE_RETRY_MS = 5_000;
/** Deadlines in wall time are checked this often: timers pause while the machine sleeps. */
const CHECK_CLOCK_MS = 60_000;

/** What one kind of supervisor adds to the shell. */
export interface SupervisedRules<State, Input, Result extends Outcome<State, unknown>> {
  /** Adds the time to the input and asks the machine. */
  transition: (before: State, input: Input) => Result;
  /** Writes the row inside the transaction, before the events. */
  store: (append: Append, before: State, result: Result) => void;
  /**
   * False: a restart would miss nothing, so nothing is written. Not called when there are events.
   */
  isWorthStoring: (before: State, after: State) => boolean;
  /** After the commit of the step that `input` led to. */
  onStored: (before: State, result: Result, input: Input) => void;
  /** Raises, keeps or clears what a person is needed for. */
  require: (state: State | null) => void;
  /** Milliseconds from now until the state must be checked again, null for never. */
  dueInMs: (state: State) => number | null;
  /** Called then. False when it could not be stored. */
  onDue: () => boolean;
  /** For deadlines in wall time: the input that reports a clock that was set back. */
  setBack?: (byMs: number) => Input;
  /**
   * Effects that follow although the step from `before` could not be stored, so that enforcing
   * needs no disk; null when the step waits. `stored` is the state a restart would find.
   */
  enforcing?: (stored: State, before: State, result: Result) => Result['effects'] | null;
  /** `of` is the state the effect follows from; the one before the end when it has ended. */
  perform: (effect: Result['effects'][number], of: State) => void;
  /** After the effects. */
  onDone?: () => void;
}

export interface SupervisedOptions {
  /** For the log: what is supervised. */
  subject: Record<string, string>;
  /** For deadlines in wall time: when the state was stored, in milliseconds since 1970. */
  storedAtMs?: number;
  /** Its name among the supervisors that wait for the same quota. */
  quotaKey: string;
  quota: QuotaGate;
  log: EventLog;
  clock: Clock;
  logger: Log;
}

/** The result of a supervisor's machine for one input. */
export interface Outcome<State, Effect> {
  /** Null: it has ended, and its row is removed. */
  state: State | null;
  events: EventDraft[];
  effects: Effect[];
  /** Findings about the shared quota. */
  quota: QuotaReport[];
}

export class Supervised<State, Input, Result extends Outcome<State, unknown>> {
  readonly #options: SupervisedOptions;
  readonly #rules: SupervisedRules<State, Input, Result>;
  readonly #disposed = new AbortController();
  readonly #deadline: Deadline;
  readonly #setBack: PendingSetBack<Input> | null;
  #state: State | null;
  /** A step that continues although it could not be stored; the next write stores it too. */
  #unstored: { state: State; events: EventDraft[] } | null = null;

  constructor(
    state: State,
    rules: SupervisedRules<State, Input, Result>,
    options: SupervisedOptions,
  ) {
    this.#state = state;
    this.#rules = rules;
    this.#options = options;
    const { clock, storedAtMs = clock.now() } = options;
    const { setBack } = rules;
    this.#setBack = setBack === undefined ? null : new PendingSetBack(clock, storedAtMs, setBack);
    this.#deadline = new Deadline({
      clock,
      inMs: () => (this.#state === null ? null : rules.dueInMs(this.#state)),
      due: () => rules.onDue(),
      checkEveryMs: this.#setBack === null ? undefined : CHECK_CLOCK_MS,
      isJumped: () => this.#setBack !== null && this.#setBack.ms() > 0,
    });
  }

  /** Null once it has ended. */
  get state(): State | null {
    return this.#state;
  }

  /** The newest state: ahead of the stored one while an enforcing step could not be stored. */
  get latest(): State | null {
    return this.#unstored?.state ?? this.#state;
  }

  /**
   * Feeds one input to the machine and does what follows; returns the seqs of its events. `more` is
   * written in the same transaction, before the rest. Throws a storage error with nothing changed.
   */
  apply(input: Input, more?: (append: Append) => void): number[] {
    return this.#apply(input, more);
  }

  /** The same for an input that will be observed again. False when it could not be stored. */
  notice(input: Input, more?: (append: Append) => void): boolean {
    try {
      this.#apply(input, more, (before, result) => this.#proceed(before, result));
      return true;
    } catch (error) {
      this.#options.logger.error({ err: error, ...this.#options.subject }, messageOf(error));
      return false;
    }
  }

  /** The same for an input that comes once: retried until it is stored or `signal` aborts. */
  async submit(input: Input, signal?: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const isOver = () => signal?.aborted === true || this.#disposed.signal.aborted;
    while (!isOver() && !this.notice(input)) {
      await clock.sleep(STORE_RETRY_MS, this.#disposed.signal).catch(() => undefined);
    }
  }

  /** Replaces the state by what `write` stores; for changes that do not concern the machine. */
  replace(state: State, write: (append: Append) => void): void {
    this.#options.log.write(write);
    this.#state = state;
    this.armDeadline();
  }

  /**
   * Sets the timer for the next deadline. Call it too when the supervision of a stored state
   * begins.
   */
  armDeadline(): void {
    if (this.#disposed.signal.aborted) return;
    this.#deadline.arm();
  }

  /** Accepts no further input. */
  dispose(): void {
    this.#disposed.abort();
    this.#deadline.cancel();
  }

  #apply(
    input: Input,
    more?: (append: Append) => void,
    notStored?: (before: State, result: Result) => void,
  ): number[] {
    if (this.#state === null || this.#disposed.signal.aborted) return [];
    const first = this.#setBack?.before(input) ?? null;
    if (first !== null) this.#apply(first, undefined, notStored);
    const [stored, before] = [this.#state, this.latest ?? this.#state];
    const { quota, quotaKey } = this.#options;
    const result = this.#rules.transition(before, input);
    let seqs: number[];
    try {
      seqs = this.#store(stored, result, more);
    } catch (error) {
      notStored?.(before, result);
      throw error;
    }
    const { state } = result;
    this.#unstored = null;
    this.#state = state;
    this.#setBack?.stored(input);
    this.#rules.onStored(stored, result, input);
    for (const news of result.quota) quota.report(quotaKey, news);
    if (state === null) quota.report(quotaKey, 'left');
    this.#rules.require(state);
    this.armDeadline();
    for (const effect of result.effects) this.#rules.perform(effect, state ?? stored);
    this.#rules.onDone?.();
    return seqs;
  }

  #store(stored: State, result: Result, more?: (append: Append) => void): number[] {
    const { state, events } = result;
    const held = this.#unstored?.events ?? [];
    const isNews =
      state === null || events.length > 0 || more !== undefined || this.#unstored !== null;
    if (!isNews && !this.#rules.isWorthStoring(stored, state)) return [];
    return this.#options.log.write((append) => {
      for (const event of held) append(event);
      more?.(append);
      this.#rules.store(append, stored, result);
      return events.map((event) => append(event));
    });
  }

  #proceed(before: State, result: Result): void {
    if (this.#state === null || result.state === null) return;
    const { state } = result;
    const effects = this.#rules.enforcing?.(this.#state, before, result) ?? null;
    if (effects === null) return;
    this.#unstored = { state, events: [...(this.#unstored?.events ?? []), ...result.events] };
    for (const effect of effects) this.#rules.perform(effect, state);
  }
}
