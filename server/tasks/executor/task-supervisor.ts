/**
 * Runs one task: feeds inputs to the supervised machine and performs the effects. Owns the task's
 * stopwatch; decides nothing.
 */
import type { Ending } from '../../agents/headless/end-turn.ts';
import { unstoredUse } from '../../budgets/budgeted-work.ts';
import type { BudgetHold } from '../../budgets/budgeted-work.ts';
import type { Append } from '../../events/event-log.ts';
import { toIso } from '../../lib/clock.ts';
import { randomId } from '../../lib/random-id.ts';
import { Serial } from '../../lib/serial.ts';
import { downtimeMs, Stopwatch } from '../../supervision/stopwatch.ts';
import { type Outcome, Supervised } from '../../supervision/supervised.ts';
import { rulesOf } from '../criteria/limits.ts';
import { isAtWork } from '../machine/ending.ts';
import type { TaskEffect, MachineInput, TaskTransition } from '../machine/task-state.ts';
import { nextDeadline, transition } from '../machine/transition.ts';
import type { TaskPlan, TaskRecord } from '../stores/task-record.ts';
import { TaskEffects } from './task-effects.ts';
import { taskNeed } from './task-need.ts';
import type { SupervisorOptions } from './task-supervisor-options.ts';
import { taskWork } from './task-usage.ts';

interface RecordOutcome extends Outcome<TaskRecord, TaskEffect> {
  state: TaskRecord;
  inputs: TaskTransition['inputs'];
}

export class TaskSupervisor {
  readonly #options: SupervisorOptions;
  readonly #active: Stopwatch;
  readonly #effects: TaskEffects;
  readonly #supervised: Supervised<TaskRecord, MachineInput, RecordOutcome>;
  #record: TaskRecord;
  readonly #serial = new Serial();
  /** How many callers of `alone` run or wait. */
  #alone = 0;

  constructor(record: TaskRecord, options: SupervisorOptions) {
    this.#options = options;
    this.#record = record;
    this.#active = new Stopwatch(record.state.activeMs, isAtWork(record.state), options.clock);
    this.#supervised = this.#supervise(record);
    this.#effects = new TaskEffects({
      ...options,
      record: () => this.#record,
      apply: (input, more) => this.apply(input, more),
      submit: async (input, signal) => this.#supervised.submit(input, signal),
    });
  }

  get record(): TaskRecord {
    return this.#record;
  }

  get activeMs(): number {
    return this.#active.ms();
  }

  /** Its last process may still be there, or its worktrees are being created or removed. */
  get isHeld(): boolean {
    return this.#effects.isEnding || this.#alone > 0;
  }

  /** It ran into the shared limit, and the gate lets another one try first. */
  get awaitsQuota(): boolean {
    const { id, state } = this.#record;
    return state.isLimited && !this.#options.quota.admits(quotaKey(id));
  }

  /** Why no turn may be sent now. */
  get hold(): BudgetHold | null {
    return this.#options.budgets.check(taskWork(this.#record));
  }

  /** Continues what an earlier daemon left. */
  recover(): void {
    const { state, updatedAt } = this.#record;
    if (state.stage === 'talking') {
      // A turn that continued while no daemon ran was at work.
      const away = downtimeMs(Date.parse(updatedAt), this.#options.clock);
      this.#active.set(state.activeMs + away, true);
    }
    this.#options.attention.require(
      { kind: 'task', id: this.#record.name },
      taskNeed(this.#record),
    );
    this.#effects.recover(state);
    const { inputs } = this.#options;
    const { id } = this.#record;
    // Input may have been stored without reaching the machine.
    if (inputs.next(id) !== null) this.notice({ kind: 'input', interrupt: inputs.interrupts(id) });
    this.#supervised.armDeadline();
  }

  /** Continues nothing: the record came from a backup, and what happened since is unknown. */
  endRestored(): void {
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
   * Feeds one input to the machine and does what follows; returns the seq of its last event, or the
   * newest when it has none. `more` is written in the same transaction, before it. Throws with
   * nothing changed when it cannot be stored.
   */
  apply(input: MachineInput, more?: (append: Append) => void): number {
    return this.#supervised.apply(input, more).at(-1) ?? this.#options.log.head;
  }

  /** The same for an input that will be observed again. False when it could not be stored. */
  notice(input: MachineInput): boolean {
    return this.#supervised.notice(input);
  }

  /** Stores a person's changes of the plan. */
  change(plan: TaskPlan, write: (append: Append) => void): void {
    const { store, clock } = this.#options;
    const record = { ...this.#record, plan, updatedAt: toIso(clock.now()) };
    // Its remaining time at work may change: `replace` sets the deadline again.
    this.#supervised.replace(record, (append) => {
      store.save(record);
      write(append);
    });
    this.#record = record;
    this.#options.onChanged();
  }

  /**
   * Runs `act` alone: not concurrently with another `act`, nor with the start of the task. The task
   * stays queued until all are over.
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

  /** Resolves once nothing of the task runs any more, with how the last process ended. */
  async ended(): Promise<Ending> {
    return this.#effects.ended();
  }

  /** The daemon stops: turns keep running, and the next daemon continues them. */
  async dispose(): Promise<void> {
    this.#supervised.dispose();
    await this.#effects.dispose();
  }

  #supervise(record: TaskRecord): Supervised<TaskRecord, MachineInput, RecordOutcome> {
    const { attention, onChanged } = this.#options;
    return new Supervised<TaskRecord, MachineInput, RecordOutcome>(
      record,
      {
        transition: (before, input) => this.#transition(before, input),
        isWorthStoring: () => true,
        store: (_append, before, after) => this.#store(before, after),
        onStored: (before, { state: after, effects }) => {
          if (effects.some(({ kind }) => kind === 'send' || kind === 'judge')) {
            this.#options.budgets.began(taskWork(after));
          }
          this.#record = after;
          if (isAtWork(before.state) && !isAtWork(after.state)) this.#options.budgets.freed();
          this.#active.set(after.state.activeMs, isAtWork(after.state));
        },
        require: () => attention.require({ kind: 'task', id: record.name }, taskNeed(this.#record)),
        dueInMs: (after) => this.#dueInMs(after),
        onDue: () => this.#supervised.notice({ kind: 'tick' }),
        setBack: (byMs) => ({ kind: 'set_back', byMs }),
        perform: (effect) => this.#effects.perform(effect),
        onDone: onChanged,
      },
      {
        ...this.#options,
        subject: { task: record.name },
        storedAtMs: Date.parse(record.updatedAt),
        quotaKey: quotaKey(record.id),
      },
    );
  }

  #transition(before: TaskRecord, input: MachineInput): RecordOutcome {
    const { clock, policy, inputs, budgets } = this.#options;
    const stamp = {
      task: before.name,
      turnId: randomId(),
      rules: rulesOf(before.plan.criteria),
      wallMs: clock.now(),
      activeMs: this.#active.ms(),
      pendingInput: inputs.next(before.id),
      budget: budgets.check(
        taskWork(before),
        unstoredUse(input, this.#active.ms() - before.state.activeMs),
      ),
    };
    const after = transition(before.state, { ...input, ...stamp }, policy);
    const record = { ...before, state: after.state, updatedAt: toIso(stamp.wallMs) };
    return { ...after, state: record };
  }

  #store(before: TaskRecord, { state: record, inputs }: RecordOutcome): void {
    const options = this.#options;
    options.budgets.worked(taskWork(record), record.state.activeMs - before.state.activeMs);
    for (const { id, state } of inputs) options.inputs.setState(id, state, record.updatedAt);
    options.store.save(record);
  }

  #dueInMs({ plan, state }: TaskRecord): number | null {
    const { limits } = rulesOf(plan.criteria);
    const now = { ...state, activeMs: this.#active.ms() };
    return nextDeadline(now, limits, this.#options.clock.now());
  }
}

/** Loops wait for the same quota, and may have the same names. */
function quotaKey(id: string): string {
  return `task ${id}`;
}
