/** A cycle from its first step to its end, and what it changed. */
import { MAX_CYCLES_KEPT } from '../../../shared/rules/respawn/respawn-keys.ts';
import type { CycleOutcome, RespawnStep } from '../../../shared/rules/respawn/respawn-names.ts';
import { changedSince, countsOf, judgeLastCycle } from './breaker.ts';
import type { OpenCycle } from './respawn-state.ts';
import { at, emit, note, type Step } from './step.ts';

/** The agent continued, or can. */
const LED_ON: readonly CycleOutcome[] = ['completed', 'worked', 'planned'];

export function openCycle(step: Step): OpenCycle {
  const { kept, nowMs } = step;
  judgeLastCycle(step);
  kept.cycles += 1;
  note(step, 'cycle', `cycle ${kept.cycles} begins`);
  return {
    number: kept.cycles,
    startedAt: at(step, nowMs),
    startedMs: nowMs,
    steps: [],
    skipped: [],
    atStart: countsOf(step),
    afterUpdate: null,
  };
}

/** The steps left out on the way from one to the next. */
export function withSkipped(cycle: OpenCycle, skipped: readonly RespawnStep[]): OpenCycle {
  return { ...cycle, skipped: [...cycle.skipped, ...skipped] };
}

/** The step that was sent at `sentMs` is done, on the evidence that led here. */
export function stepDone(
  step: Step,
  cycle: OpenCycle,
  name: RespawnStep,
  sentMs: number,
): OpenCycle {
  const seconds = (step.nowMs - sentMs) / 1_000;
  const { why: evidence } = step;
  emit(step, {
    type: 'respawn.step_done',
    data: { cycle: cycle.number, step: name, seconds, evidence },
  });
  note(step, 'step_done', `${name} after ${Math.round(seconds)} s`);
  const afterUpdate = name === 'update' ? countsOf(step) : cycle.afterUpdate;
  return { ...cycle, steps: [...cycle.steps, { step: name, seconds }], afterUpdate };
}

export function closeCycle(step: Step, cycle: OpenCycle, outcome: CycleOutcome): void {
  const { kept, run, nowMs } = step;
  const changed = changedSince(cycle.atStart, countsOf(step));
  const endedAt = at(step, nowMs);
  const past = { ...cycle, endedAt, endedMs: nowMs, outcome, changed, progress: null };
  kept.recent = [past, ...kept.recent].slice(0, MAX_CYCLES_KEPT);
  if (LED_ON.includes(outcome)) run.recoveries = 0;
  const { number, steps, skipped, startedMs } = cycle;
  const seconds = (nowMs - startedMs) / 1_000;
  emit(step, {
    type: 'respawn.cycle_done',
    data: { cycle: number, outcome, steps, skipped, seconds, ...changed },
  });
  note(step, 'cycle', `cycle ${number} ${outcome}`);
}
