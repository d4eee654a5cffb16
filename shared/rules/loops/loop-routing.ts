/** What follows a step, and where a task module enters the loop: `loop-steps.ts`, read. */
import {
  EXTENDED_CHECKPOINTS,
  EXTENDED_RESULTS,
  EXTENDED_ROUTES,
  EXTENDED_STEPS,
  STEP_CHECKPOINT,
} from './extended-steps.ts';
import {
  ENTRIES,
  type Entry,
  LOOP_CHECKPOINTS,
  LOOP_RESULTS,
  LOOP_STEPS,
  type LoopCheckpoint,
  type LoopStep,
  type Route,
  ROUTES,
  type SignalProfile,
  STEP_RESULT,
  STOP,
  type TaskPhase,
  type TaskStatus,
} from './loop-steps.ts';

export interface NextStep {
  next: LoopStep | typeof STOP;
  checkpoint: LoopCheckpoint;
  route: Route;
}

/** Why a step cannot end this way, and the words that can; '' is no checkpoint. */
export interface Refused {
  refused: string;
  allowed: readonly string[];
}

/** Total: any three words are routed, or refused with a reason. */
export function routeAfter(step: string, result: string, checkpoint: string): NextStep | Refused {
  if (!isOneOf(LOOP_STEPS, step)) {
    return { refused: `there is no step "${step}"`, allowed: LOOP_STEPS };
  }
  if (!isOneOf(LOOP_CHECKPOINTS, checkpoint)) {
    return { refused: `there is no checkpoint "${checkpoint}"`, allowed: LOOP_CHECKPOINTS };
  }
  const atCheckpoint = ROUTES.filter((each) => each.step === step && each.at.includes(checkpoint));
  if (atCheckpoint.length === 0) {
    const allowed = LOOP_CHECKPOINTS.filter((name) =>
      ROUTES.some((each) => each.step === step && each.at.includes(name)),
    );
    return { refused: `${step} is never at checkpoint ${checkpoint}`, allowed };
  }
  const where = checkpoint === '' ? step : `${step} at ${checkpoint}`;
  const route = isResult(result)
    ? atCheckpoint.find((each) => matches(each.result, result))
    : undefined;
  if (route === undefined) {
    return { refused: `${where} cannot end with "${result}"`, allowed: resultsOf(atCheckpoint) };
  }
  const handedOn = route.checkpoint === 'same' ? checkpoint : route.checkpoint;
  return { next: route.next, checkpoint: handedOn, route };
}

/** The status of a module after a step ended by this route. */
export function statusAfter(
  route: Route,
  before: { status: TaskStatus; phase: TaskPhase },
): { status: TaskStatus; phase: TaskPhase } {
  const change = route.changes.find(({ from }) => from.includes(before.status));
  if (change === undefined) return { status: before.status, phase: before.phase };
  return { status: change.status, phase: change.phase };
}

export function entryOf(status: TaskStatus, phase: TaskPhase): Entry {
  const found = ENTRIES.find((each) => each.status === status && each.phases.includes(phase));
  if (found === undefined) throw new Error(`no entry for ${status} in phase "${phase}"`);
  return found;
}

/**
 * Whether the table knows a reported combination. Agents name either checkpoint, the one the step was
 * at or the one handed on; one left out is never held against them.
 */
export function isRouted(
  signal: { step: string; result: string; next: string; checkpoint: string },
  profile: SignalProfile = 'core',
): boolean {
  const { step, result, next, checkpoint } = signal;
  const known = ROUTES.some((each) => {
    const named = [...each.at, '', each.checkpoint];
    return (
      each.step === step &&
      matches(each.result, result) &&
      each.next === next &&
      (named.includes(checkpoint) || (profile === 'extended' && isExtendedCheckpoint(checkpoint)))
    );
  });
  if (known || profile === 'core') return known;
  return EXTENDED_ROUTES.some(
    (each) =>
      each.step === step &&
      each.next === next &&
      (each.results === '*' || each.results.some((name) => matches(name, result))),
  );
}

/** What the fields of a signal may hold. */
export function isAllowed(
  field: 'step' | 'result' | 'next' | 'checkpoint',
  value: string,
  profile: SignalProfile,
): boolean {
  const isExtended = profile === 'extended';
  switch (field) {
    case 'step':
      return isOneOf(LOOP_STEPS, value) || (isExtended && isOneOf(EXTENDED_STEPS, value));
    case 'next':
      return value === STOP || isAllowed('step', value, profile);
    case 'result':
      return isResult(value) || (isExtended && isOneOf(EXTENDED_RESULTS, value));
    case 'checkpoint':
      return isOneOf(LOOP_CHECKPOINTS, value) || (isExtended && isExtendedCheckpoint(value));
  }
}

function isResult(result: string): boolean {
  return isOneOf(LOOP_RESULTS, result) || STEP_RESULT.test(result);
}

function isExtendedCheckpoint(checkpoint: string): boolean {
  return isOneOf(EXTENDED_CHECKPOINTS, checkpoint) || STEP_CHECKPOINT.test(checkpoint);
}

function matches(pattern: string, result: string): boolean {
  const read = STEP_RESULT.test(result) ? '(mid-exec)' : result;
  return pattern === '*' || pattern === read;
}

function resultsOf(routes: readonly Route[]): readonly string[] {
  const names = routes.map(({ result }) => result);
  if (names.includes('*')) return LOOP_RESULTS;
  return names.includes('(mid-exec)') ? [...names, '(step-N)'] : names;
}

function isOneOf<Name extends string>(names: readonly Name[], value: string): value is Name {
  return (names as readonly string[]).includes(value);
}
