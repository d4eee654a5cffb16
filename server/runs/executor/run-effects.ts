/** Performs the machine's effects, and feeds the results back to it. */
import type { Ending } from '../../agents/headless/end-turn.ts';
import { messageOf } from '../../lib/app-error.ts';
import { type Recovery, TurnWork } from '../../turns/turn-work.ts';
import type { MachineInput, RunEffect, RunState } from '../machine/run-state.ts';
import { readAgentPlan, readPlan, writePlan } from '../plan-file.ts';
import { mergeCompleted } from './merge-run.ts';
import { writeReport } from './write-report.ts';
import { planOf } from '../stores/run-record.ts';
import { checkMark, checkRun } from './run-checks.ts';
import type { EffectOptions } from './run-supervisor-options.ts';
import { runTurn, sendTurn } from './run-turn.ts';
import { prepareWork } from './work-place.ts';

const ENDED: MachineInput = { kind: 'ended' };
const RECOVERED: Recovery = { leftovers: true };

export class RunEffects {
  readonly #options: EffectOptions;
  readonly #work: TurnWork<MachineInput>;
  #report: Promise<void> = Promise.resolve();

  constructor(options: EffectOptions) {
    const { clock, logger, record, submit } = options;
    this.#options = options;
    this.#work = new TurnWork({
      clock,
      logger,
      submit,
      subject: () => ({ run: record().id }),
      checkMark: checkMark(record().id),
    });
  }

  get isEnding(): boolean {
    return this.#work.isEnding;
  }

  perform(effect: RunEffect, recovery: Recovery = {}): void {
    const options = this.#options;
    switch (effect.kind) {
      case 'prepare':
        return this.#work.prepare(async (signal) => this.#prepare(signal), recovery);
      case 'send': {
        const { now } = options.record().state;
        if (now.stage !== 'talking') return;
        return this.#work.send(() => sendTurn(options, now.turn), notSent);
      }
      case 'check':
        return this.#work.run(async (signal) => checkRun(options, signal), failed, recovery);
      case 'merge':
        return this.#work.run(async (signal) => this.#merge(signal), failed, recovery);
      case 'interrupt':
        return this.#work.interrupt();
      case 'end':
        return void this.#work.end(ENDED);
      case 'write_plan':
        return this.#writePlan();
      case 'report':
        // The newest last: it is the one that stays.
        this.#report = this.#report.then(async () => this.#writeReport());
    }
  }

  /** Continues what was under way when an earlier daemon ended. */
  recover({ now, hasReport, hasPlan }: RunState): void {
    if (hasPlan) this.#restorePlan();
    switch (now.stage) {
      case 'preparing':
        return this.perform({ kind: 'prepare' }, RECOVERED);
      case 'checking':
        return this.perform({ kind: 'check' }, RECOVERED);
      case 'talking':
        return this.#work.adopt(runTurn(this.#options, now.turn));
      case 'merging':
        if (now.turn !== null) this.#work.adopt(runTurn(this.#options, now.turn));
        return this.perform({ kind: 'merge' }, RECOVERED);
      case 'ending':
        if (now.turn !== null) this.#work.adopt(runTurn(this.#options, now.turn));
        return void this.#work.end(ENDED, RECOVERED);
      case 'over':
        if (!hasReport) this.perform({ kind: 'report' });
        return;
      case 'queued':
      case 'waiting':
    }
  }

  async ended(): Promise<Ending> {
    return this.#work.ended();
  }

  /** Turns keep running. */
  async dispose(): Promise<void> {
    await Promise.all([this.#work.dispose(), this.#report]);
  }

  /** A merge that landed is reported even when it was aborted meanwhile. */
  async #merge(signal: AbortSignal): Promise<MachineInput | null> {
    await this.#work.endTurn();
    const merged = await mergeCompleted(this.#options, signal);
    if (merged !== null) await this.#options.submit(merged);
    return null;
  }

  async #prepare(signal: AbortSignal): Promise<MachineInput | null> {
    const run = { signal, mark: checkMark(this.#options.record().id) };
    try {
      return (await prepareWork(this.#options, run)) ? { kind: 'prepared' } : null;
    } catch (error) {
      return { kind: 'prepare_failed', error: messageOf(error) };
    }
  }

  /** A file of this plan may have been edited since; one of an earlier plan is replaced. */
  #restorePlan(): void {
    const { home, record } = this.#options;
    const { id, agentPlan } = record();
    const isThere = readPlan(home, id) !== null && readAgentPlan(home, id) === agentPlan;
    if (!isThere) this.#writePlan();
  }

  #writePlan(): void {
    const { home, record, logger } = this.#options;
    const run = record();
    const plan = planOf(run);
    if (plan === null || run.agentPlan === null) return;
    try {
      writePlan(home, run.id, plan, run.agentPlan);
    } catch (error) {
      logger.error({ err: error, run: run.id }, 'cannot write the plan of a run');
    }
  }

  async #writeReport(): Promise<void> {
    const { logger, record, submit } = this.#options;
    try {
      await writeReport(this.#options);
      await submit({ kind: 'reported' });
    } catch (error) {
      logger.error({ err: error, run: record().id }, 'cannot write the report of a run');
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
