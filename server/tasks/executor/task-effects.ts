/** What the machine wants done, done; what comes of it is told to the machine. */
import { type Ending, endLeftovers } from '../../agents/headless/end-turn.ts';
import type { Append } from '../../events/event-log.ts';
import { messageOf } from '../../lib/app-error.ts';
import { CriteriaCheck } from '../checks/criteria-check.ts';
import { checkMark, HostCheck } from '../checks/host-check.ts';
import type { TaskEffect, TaskHappening, TaskState } from '../machine/task-state.ts';
import type { TaskRecord } from '../task-record.ts';
import type { SupervisorOptions } from './task-supervisor-options.ts';
import { NOTHING_RAN, TaskTurn } from './task-turn.ts';
import { prepareWork } from './work-places.ts';

const LEFTOVER_GRACE_MS = 5_000;

export interface EffectOptions extends SupervisorOptions {
  record: () => TaskRecord;
  apply: (happening: TaskHappening, more?: (append: Append) => void) => void;
  notice: (happening: TaskHappening, more?: (append: Append) => void) => boolean;
}

export class TaskEffects {
  readonly #options: EffectOptions;
  #turn: TaskTurn | null = null;
  /** A check by a model or by the host. */
  #check: { stop: AbortController; over: Promise<void> } | null = null;
  #ending: Promise<Ending> | null = null;
  #preparing: Promise<void> | null = null;

  constructor(options: EffectOptions) {
    this.#options = options;
  }

  get isEnding(): boolean {
    return this.#ending !== null;
  }

  perform(effect: TaskEffect): void {
    switch (effect.kind) {
      case 'prepare':
        this.#preparing = this.#prepare();
        return;
      case 'send':
        this.#turn = new TaskTurn(this.#options);
        return this.#turn.send();
      case 'judge':
        return this.#run(async (signal) => new CriteriaCheck(this.#options).judge(signal));
      case 'test':
        return this.#run(async (signal) => new HostCheck(this.#options).test(signal));
      case 'interrupt':
        return void this.#turn?.interrupt();
      case 'end':
        return void this.#end();
    }
  }

  /** Takes up what was under way when an earlier daemon ended. */
  recover({ stage, turn }: TaskState): void {
    if (stage === 'preparing') this.perform({ kind: 'prepare' });
    else if (stage === 'judging') this.perform({ kind: 'judge' });
    else if (stage === 'testing') void this.#testAgain();
    else if (turn !== null) {
      this.#turn = new TaskTurn(this.#options);
      this.#turn.adopt();
      if (stage !== 'talking') void this.#end();
    } else if (stage === 'ending') void this.#end();
  }

  async ended(): Promise<Ending> {
    return this.#ending ?? NOTHING_RAN;
  }

  dispose(): void {
    this.#turn?.dispose();
    this.#check?.stop.abort();
  }

  /** First what the tests of before left behind ends. */
  async #testAgain(): Promise<void> {
    const { record, clock } = this.#options;
    await endLeftovers(checkMark(record().id), LEFTOVER_GRACE_MS, clock);
    this.perform({ kind: 'test' });
  }

  async #prepare(): Promise<void> {
    try {
      await prepareWork(this.#options);
      this.#options.notice({ kind: 'prepared' });
    } catch (error) {
      this.#options.notice({ kind: 'prepare_failed', error: messageOf(error) });
    }
  }

  #run(check: (signal: AbortSignal) => Promise<TaskHappening | null>): void {
    const stop = new AbortController();
    const over = check(stop.signal).then(
      (happening) => {
        if (happening !== null && !stop.signal.aborted) this.#options.notice(happening);
      },
      (error: unknown) => {
        if (!stop.signal.aborted) this.#options.notice({ kind: 'failed', error: messageOf(error) });
      },
    );
    this.#check = { stop, over };
  }

  async #end(): Promise<void> {
    const ending = this.#endAll();
    this.#ending = ending;
    await ending;
    this.#ending = null;
    this.#options.notice({ kind: 'ended' });
  }

  async #endAll(): Promise<Ending> {
    this.#check?.stop.abort();
    const [ending] = await Promise.all([
      this.#turn?.kill() ?? NOTHING_RAN,
      this.#check?.over,
      // Git makes a worktree whole or not at all: what comes next must not meet half of one.
      this.#preparing,
    ]);
    this.#turn = null;
    this.#check = null;
    return ending;
  }
}
