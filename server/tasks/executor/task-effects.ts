/** Performs the machine's effects, and feeds the results back to it. */
import type { Ending } from '../../agents/headless/end-turn.ts';
import { messageOf } from '../../lib/app-error.ts';
import { type Recovery, TurnWork } from '../../turns/turn-work.ts';
import type { TaskEffect, MachineInput, TaskState } from '../machine/task-state.ts';
import { measureTurn, NOT_MEASURED } from './measure-turn.ts';
import { checkMark, judgeTask, testTask } from './task-checks.ts';
import type { EffectOptions } from './task-supervisor-options.ts';
import { sendTurn, taskTurn } from './task-turn.ts';
import { prepareWork } from './work-directories.ts';
import { workDone } from './work-done.ts';

const ENDED: MachineInput = { kind: 'ended' };
const RECOVERED: Recovery = { leftovers: true };

export class TaskEffects {
  readonly #options: EffectOptions;
  readonly #work: TurnWork<MachineInput>;

  constructor(options: EffectOptions) {
    const { clock, logger, record, submit } = options;
    this.#options = options;
    this.#work = new TurnWork({
      clock,
      logger,
      submit,
      subject: () => ({ task: record().name }),
      checkMark: checkMark(record().id),
    });
  }

  get isEnding(): boolean {
    return this.#work.isEnding;
  }

  perform(effect: TaskEffect, recovery: Recovery = {}): void {
    const options = this.#options;
    switch (effect.kind) {
      case 'prepare':
        return this.#work.prepare(async (signal) => this.#prepare(signal), recovery);
      case 'send':
        return this.#work.send(() => sendTurn(options), notSent);
      case 'judge':
        return this.#work.run(async (signal) => judgeTask(options, signal), failed);
      case 'measure':
        return this.#work.run(
          async () => measureTurn(options),
          () => NOT_MEASURED,
        );
      case 'test':
        return this.#work.run(async (signal) => testTask(options, signal), failed, recovery);
      case 'interrupt':
        return this.#work.interrupt();
      case 'end':
        return void this.#work.end(ENDED);
    }
  }

  /** Continues what was under way when an earlier daemon ended. */
  recover({ stage, turn }: TaskState): void {
    if (stage === 'preparing') this.perform({ kind: 'prepare' }, RECOVERED);
    else if (stage === 'judging') this.perform({ kind: 'judge' });
    else if (stage === 'measuring') this.perform({ kind: 'measure' });
    else if (stage === 'testing') this.perform({ kind: 'test' }, RECOVERED);
    else if (turn !== null) {
      this.#work.adopt(taskTurn(this.#options));
      if (stage !== 'talking') void this.#work.end(ENDED);
    } else if (stage === 'ending') void this.#work.end(ENDED, RECOVERED);
  }

  async ended(): Promise<Ending> {
    return this.#work.ended();
  }

  /** Turns keep running. */
  async dispose(): Promise<void> {
    await this.#work.dispose();
  }

  async #prepare(signal: AbortSignal): Promise<MachineInput | null> {
    const run = { signal, mark: checkMark(this.#options.record().id) };
    try {
      if (!(await prepareWork(this.#options, run))) return null;
      const isTakenOver = this.#options.record().state.next.kind === 'digest';
      return isTakenOver
        ? { kind: 'prepared', done: await workDone(this.#options) }
        : { kind: 'prepared' };
    } catch (error) {
      return { kind: 'prepare_failed', error: messageOf(error) };
    }
  }
}

/** Nothing has run. */
function notSent(detail: string): MachineInput {
  const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const why = { error: 'not_started', heard: 'not_heard', until: null } as const;
  return { kind: 'turn_failed', ...why, detail, usage };
}

function failed(error: string): MachineInput {
  return { kind: 'failed', error };
}
