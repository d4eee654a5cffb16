/**
 * Runs one run: feeds inputs to the supervised machine, performs the effects, and keeps its
 * checkpoint. Owns the run's stopwatch; decides nothing.
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
import type { MachineInput, RunEffect, RunTransition } from '../machine/run-state.ts';
import { isAtWork } from '../machine/step.ts';
import { nextDeadline, transition } from '../machine/transition.ts';
import { planHash } from '../plan-file.ts';
import { ownerOf, type RunRecord } from '../stores/run-record.ts';
import { CheckpointKeeper } from './checkpoint-keeper.ts';
import { RunEffects } from './run-effects.ts';
import { runNeed } from './run-need.ts';
import { runWork } from './run-usage.ts';
import type { SupervisorOptions } from './run-supervisor-options.ts';

interface RecordOutcome extends Outcome<RunRecord, RunEffect> {
  state: RunRecord;
  inputs: RunTransition['inputs'];
}

export class RunSupervisor {
  readonly #options: SupervisorOptions;
  readonly #active: Stopwatch;
  readonly #effects: RunEffects;
  readonly #checkpoint: CheckpointKeeper;
  readonly #supervised: Supervised<RunRecord, MachineInput, RecordOutcome>;
  readonly #serial = new Serial();
  #record: RunRecord;
  /** How many callers of `alone` run or wait. */
  #alone = 0;

  constructor(record: RunRecord, options: SupervisorOptions) {
    const { state } = record;
    this.#options = options;
    this.#record = record;
    this.#active = new Stopwatch(state.activeMs, isAtWork(state.now), options.clock);
    this.#supervised = this.#supervise(record);
    const own = { ...options, record: () => this.#record };
    this.#checkpoint = new CheckpointKeeper(own);
    this.#effects = new RunEffects({
      ...own,
      apply: (input, more) => this.apply(input, more),
      submit: async (input, signal) => this.#supervised.submit(input, signal),
    });
  }

  get record(): RunRecord {
    return this.#record;
  }

  get activeMs(): number {
    return this.#active.ms();
  }

  /** Its last process may still be there, or a person's operation is under way. */
  get isHeld(): boolean {
    return this.#effects.isEnding || this.#alone > 0;
  }

  /** It ran into the shared limit, and the gate lets another one try first. */
  get awaitsQuota(): boolean {
    const { id, state } = this.#record;
    return state.isLimited && !this.#options.quota.admits(ownerOf(id));
  }

  /** Why no turn may be sent now. */
  get hold(): BudgetHold | null {
    return this.#options.budgets.check(runWork(this.#record));
  }

  /** Continues what an earlier daemon left. */
  recover(): void {
    const { state, updatedAt, id } = this.#record;
    const { inputs } = this.#options;
    if (state.now.stage === 'talking') {
      // A turn that continued while no daemon ran was at work.
      const away = downtimeMs(Date.parse(updatedAt), this.#options.clock);
      this.#active.set(state.activeMs + away, true);
    }
    this.#require();
    this.#effects.recover(state);
    this.#checkpoint.saveLater();
    // Input may have been stored without reaching the machine.
    const owner = ownerOf(id);
    if (inputs.next(owner) !== null) {
      this.notice({ kind: 'input', interrupt: inputs.interrupts(owner) });
    }
    this.#supervised.armDeadline();
  }

  /** Continues nothing: the record came from a backup, and what happened since is unknown. */
  endRestored(): void {
    const { id } = this.#record;
    const { inputs, clock } = this.#options;
    this.apply({ kind: 'restored' }, (append) => {
      for (const input of inputs.open(ownerOf(id))) {
        inputs.setState(input, 'unknown', toIso(clock.now()));
        append({ type: 'run.input_delivered', data: { run: id, id: input, state: 'unknown' } });
      }
    });
  }

  /** It was just stored: its first checkpoint is written. */
  begin(): void {
    this.#checkpoint.save();
    this.#options.onChanged();
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

  /** Replaces what a person may change: the request or the plan. */
  change(
    changed: Partial<Pick<RunRecord, 'request' | 'acceptedPlan'>>,
    write: (append: Append) => void,
  ): void {
    const { store, clock } = this.#options;
    const record = { ...this.#record, ...changed, updatedAt: toIso(clock.now()) };
    this.#supervised.replace(record, (append) => {
      store.save(record);
      write(append);
    });
    this.#record = record;
    this.#options.onChanged();
  }

  /** Runs `act` alone: not concurrently with another `act`, nor with the start of the run. */
  async alone<Result>(act: () => Promise<Result>): Promise<Result> {
    this.#alone += 1;
    try {
      return await this.#serial.run('', act);
    } finally {
      this.#alone -= 1;
      this.#options.onChanged();
    }
  }

  /** Resolves once nothing of the run runs any more, with how the last process ended. */
  async ended(): Promise<Ending> {
    return this.#effects.ended();
  }

  /** The daemon stops: turns keep running, and the next daemon continues them. */
  async dispose(): Promise<void> {
    this.#supervised.dispose();
    this.#checkpoint.dispose();
    await this.#effects.dispose();
  }

  #supervise(record: RunRecord): Supervised<RunRecord, MachineInput, RecordOutcome> {
    const { onChanged } = this.#options;
    return new Supervised<RunRecord, MachineInput, RecordOutcome>(
      record,
      {
        transition: (before, input) => this.#transition(before, input),
        isWorthStoring: () => true,
        store: (append, before, after) => this.#store(append, before, after),
        onStored: (before, { state: after, effects }) => {
          if (effects.some((effect) => effect.kind === 'send')) {
            this.#options.budgets.began(runWork(after));
          }
          this.#record = after;
          if (isAtWork(before.state.now) && !isAtWork(after.state.now))
            this.#options.budgets.freed();
          this.#active.set(after.state.activeMs, isAtWork(after.state.now));
          this.#checkpoint.changed(before, after);
        },
        require: () => this.#require(),
        dueInMs: (after) => this.#dueInMs(after),
        onDue: () => this.#supervised.notice({ kind: 'tick' }),
        setBack: (byMs) => ({ kind: 'set_back', byMs }),
        perform: (effect) => this.#effects.perform(effect),
        onDone: onChanged,
      },
      {
        ...this.#options,
        subject: { run: record.id },
        storedAtMs: Date.parse(record.updatedAt),
        quotaKey: ownerOf(record.id),
      },
    );
  }

  #transition(before: RunRecord, input: MachineInput): RecordOutcome {
    const { clock, policy, inputs, budgets } = this.#options;
    const wallMs = clock.now();
    const stamp = {
      run: before.id,
      turnId: randomId(),
      options: before.request.options,
      wallMs,
      activeMs: this.#active.ms(),
      pendingInput: inputs.next(ownerOf(before.id)),
      budget: budgets.check(
        runWork(before),
        unstoredUse(input, this.#active.ms() - before.state.activeMs),
      ),
    };
    const after = transition(before.state, { ...input, ...stamp }, policy);
    const plan = after.plan === null ? {} : { agentPlan: after.plan, acceptedPlan: null };
    const record = { ...before, ...plan, state: after.state, updatedAt: toIso(wallMs) };
    return { ...after, state: record };
  }

  #store(append: Append, before: RunRecord, { state: record, inputs }: RecordOutcome): void {
    const options = this.#options;
    options.budgets.worked(runWork(record), record.state.activeMs - before.state.activeMs);
    for (const { id, state } of inputs) options.inputs.setState(id, state, record.updatedAt);
    options.store.save(record);
    const { id, agentPlan } = record;
    if (agentPlan === null || agentPlan === before.agentPlan) return;
    const hash = planHash(agentPlan);
    append({ type: 'run.plan', data: { run: id, action: 'written', hash } });
  }

  #require(): void {
    const { id, state } = this.#record;
    this.#options.attention.require({ kind: 'run', id }, runNeed(state));
  }

  #dueInMs({ request, state }: RunRecord): number | null {
    const now = { wallMs: this.#options.clock.now(), activeMs: this.#active.ms() };
    return nextDeadline(state, request.options, now);
  }
}
