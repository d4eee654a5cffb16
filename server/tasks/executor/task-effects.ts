/** Performs the machine's effects, and feeds the results back to it. */
import { type Ending, endLeftovers } from '../../agents/headless/end-turn.ts';
import { messageOf } from '../../lib/app-error.ts';
import { NOTHING_RAN, type RecordedTurn } from '../../turns/recorded-turn.ts';
import type { TaskEffect, MachineInput, TaskState } from '../machine/task-state.ts';
import { checkMark, judgeTask, testTask } from './task-checks.ts';
import type { EffectOptions } from './task-supervisor-options.ts';
import { sendTurn, taskTurn } from './task-turn.ts';
import { prepareWork } from './work-directories.ts';

const LEFTOVER_GRACE_MS = 5_000;
/** A stopping daemon does not wait longer for git. */
const DISPOSE_MS = 2_000;
/** Retry interval for what could not be ended. */
const END_RETRY_MS = 1_000;

export class TaskEffects {
  readonly #options: EffectOptions;
  #turn: RecordedTurn | null = null;
  /** Resolves once its worktrees are no longer being prepared. */
  #preparing: Promise<void> = Promise.resolve();
  /** A check by a model or by the host. */
  #check: { stop: AbortController; over: Promise<void> } | null = null;
  #ending: Promise<Ending> | null = null;

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
        return this.#send();
      case 'judge':
        return this.#run(async (signal) => judgeTask(this.#options, signal));
      case 'test':
        return this.#run(async (signal) => testTask(this.#options, signal));
      case 'interrupt':
        return void this.#turn?.interrupt().catch((error: unknown) => this.#warn(error));
      case 'end':
        return void this.#end();
    }
  }

  /** Continues what was under way when an earlier daemon ended. */
  recover({ stage, turn }: TaskState): void {
    if (stage === 'preparing') this.perform({ kind: 'prepare' });
    else if (stage === 'judging') this.perform({ kind: 'judge' });
    else if (stage === 'testing') void this.#testAgain();
    else if (turn !== null) {
      this.#turn = taskTurn(this.#options);
      this.#turn.adopt();
      if (stage !== 'talking') void this.#end();
    } else if (stage === 'ending') void this.#end({ leftovers: true });
  }

  async ended(): Promise<Ending> {
    return this.#ending ?? NOTHING_RAN;
  }

  /**
   * Turns keep running. Writers of the daemon's own files have ended when this resolves, or soon
   * after.
   */
  async dispose(): Promise<void> {
    const { clock } = this.#options;
    this.#turn?.dispose();
    this.#check?.stop.abort();
    const done = new AbortController();
    const timeout = clock.sleep(DISPOSE_MS, done.signal).catch(() => undefined);
    await Promise.race([Promise.all([this.#check?.over, this.#preparing]), timeout]);
    done.abort();
  }

  /** First ends what earlier tests left behind. */
  async #testAgain(): Promise<void> {
    await this.#endLeftTests();
    this.perform({ kind: 'test' });
  }

  async #prepare(): Promise<void> {
    let input: MachineInput = { kind: 'prepared' };
    try {
      await prepareWork(this.#options);
    } catch (error) {
      input = { kind: 'prepare_failed', error: messageOf(error) };
    }
    await this.#options.submit(input);
  }

  /** Any failure to send is reported to the machine. */
  #send(): void {
    try {
      this.#turn = sendTurn(this.#options);
    } catch (error) {
      const usage = { outputTokens: 0, costUsd: 0 };
      const why = { error: 'not_started', heard: 'not_heard', detail: messageOf(error) } as const;
      void this.#options.submit({ kind: 'turn_failed', ...why, until: null, usage });
    }
  }

  #warn(error: unknown): void {
    const { logger, record } = this.#options;
    logger.error({ err: error, task: record().name }, messageOf(error));
  }

  #run(check: (signal: AbortSignal) => Promise<MachineInput | null>): void {
    const stop = new AbortController();
    const over = check(stop.signal)
      .catch((error: unknown) => ({ kind: 'failed', error: messageOf(error) }) as const)
      .then(async (input) =>
        input === null ? undefined : this.#options.submit(input, stop.signal),
      );
    this.#check = { stop, over };
  }

  /** `leftovers`: tests of an earlier daemon may still run, unrecorded. */
  async #end({ leftovers = false } = {}): Promise<void> {
    const ending = this.#endWithRetry(leftovers);
    this.#ending = ending;
    await ending;
    // Ended twice: the second one decides.
    if (this.#ending !== ending) return;
    this.#ending = null;
    await this.#options.submit({ kind: 'ended' });
  }

  /**
   * Without free file descriptors, no process can be checked: failures are retried until they
   * succeed.
   */
  async #endWithRetry(leftovers: boolean): Promise<Ending> {
    for (;;) {
      try {
        return await this.#endAll(leftovers);
      } catch (error) {
        this.#warn(error);
        await this.#options.clock.sleep(END_RETRY_MS);
      }
    }
  }

  async #endAll(leftovers: boolean): Promise<Ending> {
    const [turn, check] = [this.#turn, this.#check];
    check?.stop.abort();
    // Git creates a worktree whole or not at all: the next step must not see half of one.
    const [ending] = await Promise.all([turn?.kill() ?? NOTHING_RAN, check?.over, this.#preparing]);
    if (leftovers) await this.#endLeftTests();
    this.#turn = null;
    this.#check = null;
    return ending;
  }

  async #endLeftTests(): Promise<void> {
    const { record, clock } = this.#options;
    await endLeftovers(checkMark(record().id), LEFTOVER_GRACE_MS, clock);
  }
}
