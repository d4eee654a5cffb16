/** Past and current cycles: the outcome of each step, its duration, and what each cycle changed. Pure. */
import { count, formatTokens } from '$lib/ui/text/amounts.ts';
import type { Mark, Tone } from '$lib/ui/tone.ts';
import { RESPAWN_STEPS, type RespawnStep } from '$shared/rules/respawn/respawn-names.ts';
import type { RespawnCycle, RespawnView } from '$shared/schema/loops/respawn.ts';
import { formatDuration } from '$shared/words/format-duration.ts';
import { CYCLE_OUTCOME_TEXT, RESPAWN_STEP_TEXT } from '$shared/words/work/respawn-text.ts';
import { openCycle, stepOfState } from './cycle-rail.ts';

interface StepRow {
  step: RespawnStep;
  label: string;
  /** Its duration, or its outcome. */
  note: string;
  tone: Tone;
  mark: Mark;
  /** 0 for what was not done. */
  seconds: number;
}

interface ChangeRow {
  label: string;
  /** False: it cannot be determined. */
  isKnown: boolean;
}

export interface CycleRow {
  cycle: number;
  startedAt: string;
  outcome: { label: string; tone: Tone; mark: Mark };
  seconds: number;
  /** Seconds of all steps together. */
  sent: number;
  steps: StepRow[];
  /** Null before it is counted: what a cycle changed is known when the next one begins. */
  changes: ChangeRow[] | null;
  /** It was judged, and nothing changed. */
  isFruitless: boolean;
}

export function cycleRows(view: RespawnView, clock: number): CycleRow[] {
  const open = openCycle(view);
  return view.cycles.map((cycle) => {
    const current = cycle === open ? stepOfState(view.state) : null;
    const end = cycle.ended_at === null ? clock : Date.parse(cycle.ended_at);
    return {
      cycle: cycle.cycle,
      startedAt: cycle.started_at,
      outcome: outcomeOf(cycle),
      seconds: Math.max(0, (end - Date.parse(cycle.started_at)) / 1000),
      sent: cycle.steps.reduce((sum, step) => sum + step.seconds, 0),
      steps: RESPAWN_STEPS.map((step) => stepRow(cycle, step, current)),
      changes: cycle.progress === null ? null : changesOf(cycle),
      isFruitless: cycle.progress === false && !isBrokenOff(cycle),
    };
  });
}

function outcomeOf({ outcome }: RespawnCycle): CycleRow['outcome'] {
  if (outcome === null) return { label: 'Running', tone: 'work', mark: 'disc' };
  const text = CYCLE_OUTCOME_TEXT[outcome];
  const label = text.charAt(0).toUpperCase() + text.slice(1);
  switch (outcome) {
    case 'completed':
    case 'worked':
      return { label, tone: 'good', mark: 'tick' };
    case 'planned':
      return { label, tone: 'work', mark: 'disc' };
    case 'stopped':
    case 'cancelled':
      return { label, tone: 'idle', mark: 'dash' };
    default:
      return { label, tone: 'fail', mark: 'cross' };
  }
}

function stepRow(cycle: RespawnCycle, step: RespawnStep, current: RespawnStep | null): StepRow {
  const row = { step, label: RESPAWN_STEP_TEXT[step] };
  const done = cycle.steps.find((one) => one.step === step);
  if (done !== undefined) {
    const { seconds } = done;
    return { ...row, note: formatDuration(seconds), tone: 'good', mark: 'tick', seconds };
  }
  const not = { ...row, seconds: 0, tone: 'idle' as const };
  if (cycle.skipped.includes(step)) return { ...not, note: 'skipped', mark: 'dash' };
  if (step === current) return { ...not, note: 'now', tone: 'work', mark: 'disc' };
  if (cycle.outcome === null) {
    const isNext = step === firstMissing(cycle, current);
    return { ...not, note: isNext ? 'next' : '', mark: 'ring' };
  }
  const isNotNeeded = cycle.outcome === 'worked' || cycle.outcome === 'completed';
  if (isNotNeeded) return { ...not, note: 'not needed', mark: 'dash' };
  const isLastTried = step === firstMissing(cycle);
  if (isLastTried && cycle.outcome === 'planned') {
    return { ...not, note: 'led to a plan', tone: 'work', mark: 'disc' };
  }
  if (isLastTried && !isBrokenOff(cycle))
    return { ...not, note: 'not done', tone: 'fail', mark: 'cross' };
  return { ...not, note: 'not sent', mark: 'ring' };
}

/** Ended from outside, which says nothing about what it was good for. */
function isBrokenOff({ outcome }: RespawnCycle): boolean {
  return outcome === 'stopped' || outcome === 'cancelled';
}

function firstMissing(
  { steps, skipped }: RespawnCycle,
  current: RespawnStep | null = null,
): RespawnStep | undefined {
  const past = [...steps.map(({ step }) => step), ...skipped, current];
  return RESPAWN_STEPS.find((step) => !past.includes(step));
}

function changesOf({ commits, files, tokens }: RespawnCycle): ChangeRow[] {
  return [
    change(commits, 'commits', (amount) => count(amount, 'commit')),
    change(files, 'files', (amount) => count(amount, 'file')),
    change(tokens, 'tokens', (amount) => `${formatTokens(amount)} tokens`),
  ];
}

function change(
  amount: number | null,
  name: string,
  format: (amount: number) => string,
): ChangeRow {
  return amount === null
    ? { label: `${name} unknown`, isKnown: false }
    : { label: format(amount), isKnown: true };
}
