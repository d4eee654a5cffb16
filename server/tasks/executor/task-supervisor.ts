/**
 * Runs one task: feeds what happens to the machine, keeps state and events in one transaction,
 * performs the effects. Owns the task's clock and its one deadline; decides nothing.
 */
import type { EventDraft } from '../../../shared/events.ts';
import type { Ending } from '../../agents/headless/end-turn.ts';
import type { Append } from '../../events/event-log.ts';
import { messageOf } from '../../lib/app-error.ts';
import { toIso } from '../../lib/clock.ts';
import { randomId } from '../../lib/random-id.ts';
import { Serial } from '../../lib/serial.ts';
import { rulesOf } from '../fresh-task.ts';
import { ActiveClock } from './active-clock.ts';
import { isAtWork } from '../machine/ending.ts';
import type { TaskHappening, TaskState, TaskTransition } from '../machine/task-state.ts';
import { nextDeadline, transition } from '../machine/transition.ts';
import { TaskEffects } from './task-effects.ts';
import { TaskDeadline } from './task-deadline.ts';
import { taskNeed } from './task-need.ts';
import type { TaskPlan, TaskRecord } from '../task-record.ts';
import type { SupervisorOptions } from './task-supervisor-options.ts';

export class TaskSupervisor {
  readonly #options: SupervisorOptions;
  readonly #active: ActiveClock;
  readonly #effects: TaskEffects;
  #record: TaskRecord;
  readonly #deadline: TaskDeadline;
  #isDisposed = false;
  readonly #serial = new Serial();
  /** How many want it for themselves. */
  #alone = 0;

  constructor(record: TaskRecord, options: SupervisorOptions) {
    this.#options = options;
    this.#record = record;
    this.#active = new ActiveClock(record.state.activeMs, isAtWork(record.state), options.clock);
    this.#deadline = new TaskDeadline({
      clock: options.clock,
      inMs: () => this.#inMs(),
      due: () => this.notice({ kind: 'tick' }),
    });
    this.#effects = new TaskEffects({
      ...options,
      record: () => this.#record,
      apply: (happening, more) => this.apply(happening, more),
      notice: (happening, more) => this.notice(happening, more),
    });
  }

  get record(): TaskRecord {
    return this.#record;
  }

  get activeMs(): number {
    return this.#active.ms();
  }

  /** Its last process may still be there, or its places are just made or removed. */
  get isHeld(): boolean {
    return this.#effects.isEnding || this.#alone > 0;
  }

  /** Takes up what an earlier daemon left. */
  recover(): void {
    const { state, updatedAt } = this.#record;
    if (state.stage === 'talking') {
      // A turn that went on while no daemon ran was at work.
      const away = Math.max(0, this.#options.clock.now() - Date.parse(updatedAt));
      this.#active.set(state.activeMs + away, true);
    }
    this.#options.attention.require({ task: this.#record.name }, taskNeed(this.#record));
    this.#effects.recover(state);
    const { inputs } = this.#options;
    const { id } = this.#record;
    // What was said may have been kept and nothing more.
    if (inputs.next(id) !== null) this.notice({ kind: 'input', interrupt: inputs.interrupts(id) });
    this.#deadline.arm();
  }

  /** Takes up nothing: the record came with a backup, and nobody knows what happened since. */
  giveUp(): void {
    const { id, name } = this.#record;
    const { inputs, clock } = this.#options;
    this.apply({ kind: 'restored' }, (append) => {
      for (const input of inputs.open(id)) {
        inputs.setState(input, 'unknown', toIso(clock.now()));
        append({ type: 'task.input_delivered', data: { task: name, id: input, state: 'unknown' } });
      }
    });
  }

  /**
   * Feeds one happening to the machine and does what follows; gives the seq of its event, or the
   * newest when it has none. `more` is written in the same transaction, before it. Throws when it
   * cannot be stored: then nothing changed.
   */
  apply(happening: TaskHappening, more?: (append: Append) => void): number {
    if (this.#isDisposed) return this.#options.log.head;
    this.#heedSetBack(happening);
    const { clock, policy, inputs } = this.#options;
    const before = this.#record;
    const wallMs = clock.now();
    const pendingInput = inputs.next(before.id);
    const seen = {
      ...happening,
      turnId: randomId(),
      rules: rulesOf(before.plan.criteria),
      wallMs,
      activeMs: this.#active.ms(),
      pendingInput,
    };
    const after = transition(before.state, seen, policy);
    const author = 'author' in happening ? happening.author : undefined;
    const seq = this.#keep(after, author, more);
    this.#active.set(after.state.activeMs, isAtWork(after.state));
    this.#options.attention.require({ task: before.name }, taskNeed(this.#record));
    this.#deadline.arm();
    for (const effect of after.effects) this.#effects.perform(effect);
    this.#tellLimit(before.state, after.state, happening);
    this.#options.onChanged();
    return seq ?? this.#options.log.head;
  }

  /** The same for what nobody waits for. Gives false when it could not be stored. */
  notice(happening: TaskHappening, more?: (append: Append) => void): boolean {
    try {
      this.apply(happening, more);
      return true;
    } catch (error) {
      this.#options.logger.error({ err: error, task: this.#record.name }, messageOf(error));
      return false;
    }
  }

  /** Keeps what a person changed of the plan. */
  change(plan: TaskPlan, write: (append: Append) => void): void {
    const { log, store, clock } = this.#options;
    const record = { ...this.#record, plan, updatedAt: toIso(clock.now()) };
    log.write((append) => {
      store.save(record);
      write(append);
    });
    this.#record = record;
    // Its time at work may be another.
    this.#deadline.arm();
    this.#options.onChanged();
  }

  /**
   * Runs what must not meet another of its kind, nor the beginning of the task: one after another, and
   * the task waits for its turn until all are over. Passes on the outcome.
   */
  async alone<Result>(act: () => Promise<Result>): Promise<Result> {
    this.#alone += 1;
    try {
      return await this.#serial.run('', act);
    } finally {
      this.#alone -= 1;
      this.#options.onChanged();
    }
  }

  /** Resolves once nothing of the task runs any more; tells how the last process ended. */
  async ended(): Promise<Ending> {
    return this.#effects.ended();
  }

  /** The daemon stops: turns go on, and the next daemon takes them up. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#deadline.cancel();
    await this.#effects.dispose();
  }

  #keep(
    after: TaskTransition,
    author: string | undefined,
    more?: (append: Append) => void,
  ): number | null {
    const { log, store, inputs, clock } = this.#options;
    const { name } = this.#record;
    const at = toIso(clock.now());
    const record = { ...this.#record, state: after.state, updatedAt: at };
    const seq = log.write((append) => {
      more?.(append);
      for (const { id, state } of after.inputs) {
        inputs.setState(id, state, at);
        append({ type: 'task.input_delivered', data: { task: name, id, state } });
      }
      for (const data of after.criteria) {
        append({ type: 'task.criteria', data: { task: name, ...data } });
      }
      store.save(record);
      const news = statusEvent(name, this.#record.state, after.state, author);
      return news === null ? null : append(news);
    });
    this.#record = record;
    return seq;
  }

  #tellLimit(before: TaskState, after: TaskState, { kind }: TaskHappening): void {
    const options = this.#options;
    if (before.isLimited && kind === 'turn_failed' && after.isLimited) options.onLimit('met');
    if (before.isLimited && !after.isLimited) options.onLimit(kind === 'replied' ? 'over' : 'left');
  }

  /** What waits for a wall time waits as long as before the clock was set back. */
  #heedSetBack({ kind }: TaskHappening): void {
    const { backMs: byMs } = this.#deadline;
    if (byMs === 0 || kind === 'set_back') return;
    this.apply({ kind: 'set_back', byMs });
    this.#deadline.settle();
  }

  #inMs(): number | null {
    const { plan, state } = this.#record;
    const { limits } = rulesOf(plan.criteria);
    const activeMs = this.#active.ms();
    return nextDeadline({ ...state, activeMs }, limits, this.#options.clock.now());
  }
}

/** Null when nobody would see a difference. */
function statusEvent(
  task: string,
  before: TaskState,
  after: TaskState,
  author: string | undefined,
): EventDraft | null {
  const isQueued = (state: TaskState) => state.stage === 'queued';
  const same =
    before.status === after.status &&
    before.reason === after.reason &&
    isQueued(before) === isQueued(after);
  if (same) return null;
  const { status, reason, error } = after;
  const until = after.wait?.until ?? null;
  const data = { task, status, before: before.status, reason, until, error };
  return {
    type: 'task.status',
    data: { ...data, ...(author === undefined ? {} : { author }) },
  };
}
