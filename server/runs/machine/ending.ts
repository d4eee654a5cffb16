/** How a run ends: within its limits, by a person, or by a failure. */
import type { Reason } from '../../../shared/schema/reasons.ts';
import { WORK_PHASES } from '../../../shared/rules/work/run-phases.ts';
import type { StartRun } from '../../../shared/schema/runs/run-requests.ts';
import type { RunResult, RunState, Spend } from './run-state.ts';
import { type Input, isAtWork, iso, setPhase, type Step } from './step.ts';

const MINUTE_MS = 60_000;

const DONE: RunResult = { status: 'done', reason: 'completed', error: null };

/** Of all phases together. */
export function totalSpent({ spent }: Pick<RunState, 'spent'>): Spend {
  const sum = (pick: (spend: Spend) => number) =>
    WORK_PHASES.reduce((total, phase) => total + pick(spent[phase]), 0);
  return {
    activeMs: sum(({ activeMs }) => activeMs),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    costUsd: sum(({ costUsd }) => costUsd),
    turns: sum(({ turns }) => turns),
  };
}

/** The limit that is used up, of the run or of its phase; null for none. */
export function reachedLimit(state: RunState, options: StartRun): Reason | null {
  const left = activeLeftMs(state, options);
  if (left !== null && left <= 0) return 'timeout';
  const { outputTokens, costUsd } = totalSpent(state);
  if (options.max_tokens !== null && outputTokens >= options.max_tokens) return 'max_tokens';
  if (options.max_cost_usd !== null && costUsd >= options.max_cost_usd) return 'max_cost';
  if (state.phase === 'complete') return null;
  const limit = options.phases[state.phase]?.max_cost_usd ?? null;
  return limit !== null && state.spent[state.phase].costUsd >= limit ? 'max_cost' : null;
}

/** Milliseconds at work that remain; null without such a limit. A merge is not cut off by one. */
export function activeLeftMs(state: RunState, options: StartRun): number | null {
  const { activeMs, phase, spent } = state;
  if (state.now.stage === 'merging') return null;
  const left = options.max_minutes === null ? null : options.max_minutes * MINUTE_MS - activeMs;
  const minutes = phase === 'complete' ? null : options.phases[phase]?.max_minutes;
  if (phase === 'complete' || minutes === null || minutes === undefined) return left;
  const inPhase = minutes * MINUTE_MS - spent[phase].activeMs;
  return left === null ? inPhase : Math.min(left, inPhase);
}

/** It is done, or first merged into the branch it was started for. */
export function complete(step: Step, proof: 'proven' | 'unproven'): void {
  const { state, options, effects } = step;
  state.proof = proof;
  setPhase(step, 'complete');
  if (options.merge_into == null) return end(step, DONE);
  const { now } = state;
  state.now = { stage: 'merging', turn: now.stage === 'talking' ? now.turn : null };
  effects.push({ kind: 'merge' });
}

/** The merge the run was started for is over, or a person made it. */
export function onMerged(step: Step, { into, commit, author }: Input<'merged'>): void {
  const { run, state, events } = step;
  state.mergedInto = into;
  state.notMerged = null;
  const by = author === undefined ? {} : { author };
  events.push({ type: 'run.merged', data: { run, into, commit, ...by } });
  if (state.now.stage === 'merging') end(step, DONE);
}

/** The work stays on its branch, and the run is done. */
export function leaveUnmerged(step: Step, why: string): void {
  const { run, state, options, events } = step;
  if (state.now.stage !== 'merging') return;
  const into = options.merge_into ?? '';
  state.notMerged = why;
  events.push({ type: 'run.not_merged', data: { run, into, why } });
  end(step, DONE);
}

export function fail(step: Step, reason: Reason, error: string | null): void {
  end(step, { status: 'failed', reason, error });
}

export function stop(step: Step, reason: Reason, error: string | null): void {
  end(step, { status: 'stopped', reason, error });
}

function end(step: Step, result: RunResult): void {
  const { state } = step;
  const { now } = state;
  state.isLimited = false;
  if (now.stage === 'over' || now.stage === 'ending') return;
  if (!isAtWork(now)) return finish(step, result);
  state.now = { stage: 'ending', result, turn: 'turn' in now ? now.turn : null };
  step.effects.push({ kind: 'end' });
}

/** Nothing of it runs any more. */
export function finish(step: Step, result: RunResult): void {
  const { run, state, wallMs, events, effects } = step;
  const { status, reason } = result;
  state.now = { stage: 'over', result };
  state.completedAt = iso(wallMs);
  state.hasReport = false;
  const { activeMs, costUsd } = totalSpent(state);
  events.push({
    type: 'run.done',
    data: {
      run,
      status,
      reason,
      proof: state.proof,
      iteration: state.iteration,
      active_seconds: Math.round(activeMs / 1000),
      cost_usd: costUsd,
      commit: state.rounds.at(-1)?.commit ?? null,
    },
  });
  effects.push({ kind: 'report' });
}
