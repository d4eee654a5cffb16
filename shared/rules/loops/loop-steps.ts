/**
 * The loop as data: its steps, their results, what follows what, and where a task module enters it.
 * The one source of whitelists, routing and docs. Free of zod, because the page imports it.
 */

/** In place of a step: the loop ends. */
export const STOP = '(stop)';

/** `core` is the loop of this package; `extended` adds what the newest foreign loops report. */
export const SIGNAL_PROFILES = ['core', 'extended'] as const;
export type SignalProfile = (typeof SIGNAL_PROFILES)[number];

export const LOOP_STEPS = ['plan', 'check', 'exec', 'merge', 'report'] as const;
export type LoopStep = (typeof LOOP_STEPS)[number];

export const LOOP_RESULTS = [
  'PASS',
  'NEEDS_REVISION',
  'ACCEPT',
  'NEEDS_FIX',
  'REPLAN',
  'BLOCKED',
  'CONTINUE',
  '(generated)',
  '(annotations)',
  '(done)',
  '(mid-exec)',
  '(blocked)',
  'success',
  'conflict',
] as const;
/** Besides: the number of a finished step of the plan. */
export const STEP_RESULT = /^\(step-\d{1,6}\)$/;
export type LoopResult = (typeof LOOP_RESULTS)[number];

export const LOOP_CHECKPOINTS = ['', 'post-plan', 'mid-exec', 'post-exec'] as const;
export type LoopCheckpoint = (typeof LOOP_CHECKPOINTS)[number];

/** The status a task module records; `complete` and `cancelled` are final. */
export const TASK_STATUSES = [
  'draft',
  'planning',
  'review',
  'executing',
  're-planning',
  'complete',
  'blocked',
  'cancelled',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What a module in `re-planning` needs next; empty in every other status. */
export const TASK_PHASES = ['', 'needs-plan', 'needs-check'] as const;
export type TaskPhase = (typeof TASK_PHASES)[number];

/** Why a loop stops, by the last result of its agent. */
export type StopCause = 'completed' | 'blocked' | 'conflict';

/** The first change whose `from` holds the module's status applies; without one nothing changes. */
export interface StatusChange {
  from: readonly TaskStatus[];
  status: TaskStatus;
  phase: TaskPhase;
}

export interface Route {
  step: LoopStep;
  /** `*`: any result. `(step-N)` takes the row of `(mid-exec)`. */
  result: LoopResult | '*';
  /** Checkpoints at which the step may end this way. */
  at: readonly LoopCheckpoint[];
  next: LoopStep | typeof STOP;
  /** Handed on to the next step; `same` is the step's own. */
  checkpoint: LoopCheckpoint | 'same';
  changes: readonly StatusChange[];
  /** Null unless `next` is `(stop)`. */
  stop: StopCause | null;
  /** Returns to an earlier step. Without these rows the loop has no circle. */
  isBack: boolean;
  meaning: string;
}

const OPEN = ['draft', 'planning', 'review', 'executing', 're-planning', 'blocked'] as const;
const PLANNED = ['review', 'executing', 're-planning'] as const;
const BEFORE_EXEC = ['', 'post-plan'] as const;
const DURING_EXEC = ['', 'mid-exec', 'post-exec'] as const;

const to = (
  status: TaskStatus,
  phase: TaskPhase = '',
  from: readonly TaskStatus[] = OPEN,
): StatusChange => ({ from, status, phase });

/** First the step and how it ended, then the checkpoints it may have been at, then what follows. */
const route = (
  [step, result]: readonly [LoopStep, Route['result']],
  at: Route['at'],
  [next, checkpoint]: readonly [Route['next'], Route['checkpoint']],
  changes: readonly StatusChange[],
  meaning: string,
  kind: 'back' | StopCause | null = null,
): Route => {
  const isBack = kind === 'back';
  const stop = kind === 'back' ? null : kind;
  return { step, result, at, next, checkpoint, changes, meaning, stop, isBack };
};

const NEEDS_PERSON = 'the work needs a person to continue';

/** No two rows share step, result and checkpoint. */
export const ROUTES: readonly Route[] = [
  route(
    ['plan', '*'],
    BEFORE_EXEC,
    ['check', 'post-plan'],
    [to('re-planning', 'needs-check', PLANNED), to('planning')],
    'the plan is written; check it',
  ),
  route(
    ['check', 'PASS'],
    BEFORE_EXEC,
    ['exec', ''],
    [to('review')],
    'the plan is good; carry it out',
  ),
  route(
    ['check', 'NEEDS_REVISION'],
    BEFORE_EXEC,
    ['plan', ''],
    [to('re-planning', 'needs-plan', ['re-planning']), to('planning')],
    'the plan has gaps; revise it',
    'back',
  ),
  route(
    ['check', 'CONTINUE'],
    ['', 'mid-exec'],
    ['exec', ''],
    [to('executing')],
    'the work is on track; continue',
    'back',
  ),
  route(
    ['check', 'NEEDS_FIX'],
    DURING_EXEC,
    ['exec', 'same'],
    [to('executing')],
    'something small is wrong; fix it',
    'back',
  ),
  route(
    ['check', 'REPLAN'],
    DURING_EXEC,
    ['plan', ''],
    [to('re-planning', 'needs-plan')],
    'the plan does not work; write a new one',
    'back',
  ),
  route(
    ['check', 'ACCEPT'],
    ['', 'post-exec'],
    ['merge', ''],
    [to('executing')],
    'the target is met; merge',
  ),
  route(
    ['check', 'BLOCKED'],
    LOOP_CHECKPOINTS,
    [STOP, ''],
    [to('blocked')],
    NEEDS_PERSON,
    'blocked',
  ),
  route(
    ['exec', '(done)'],
    DURING_EXEC,
    ['check', 'post-exec'],
    [to('executing')],
    'every step of the plan is done; check the result',
  ),
  route(
    ['exec', '(mid-exec)'],
    DURING_EXEC,
    ['check', 'mid-exec'],
    [to('executing')],
    'a part is done or something came up; check before continuing',
  ),
  route(['exec', '(blocked)'], DURING_EXEC, [STOP, ''], [to('blocked')], NEEDS_PERSON, 'blocked'),
  route(['merge', 'success'], [''], ['report', ''], [to('complete')], 'the work is merged; report'),
  route(
    ['merge', 'conflict'],
    [''],
    [STOP, ''],
    [to('executing')],
    'three attempts did not resolve the merge conflict',
    'conflict',
  ),
  route(
    ['report', '*'],
    [''],
    [STOP, ''],
    [],
    'the report is written; the loop is complete',
    'completed',
  ),
];

export interface Entry {
  status: TaskStatus;
  /** The entry holds in these phases. */
  phases: readonly TaskPhase[];
  next: LoopStep | typeof STOP;
  checkpoint: LoopCheckpoint;
  /** `.target.md` must say something first. */
  needsTarget: boolean;
  meaning: string;
}

const entry = (
  status: TaskStatus,
  next: Entry['next'],
  checkpoint: LoopCheckpoint,
  meaning: string,
  phases: readonly TaskPhase[] = TASK_PHASES,
): Entry => ({ status, phases, next, checkpoint, needsTarget: status === 'draft', meaning });

/** Each status in each phase has exactly one entry. */
export const ENTRIES: readonly Entry[] = [
  entry('draft', 'plan', '', 'nothing is planned yet'),
  entry('planning', 'check', 'post-plan', 'a plan waits to be checked'),
  entry('review', 'exec', '', 'the plan passed its check'),
  // May find work undone: one extra check, and no plan has to be read to know where it is.
  entry('executing', 'check', 'post-exec', 'work was done; check how far it is'),
  entry('re-planning', 'plan', '', 'a new plan is needed', ['', 'needs-plan']),
  entry('re-planning', 'check', 'post-plan', 'the new plan waits to be checked', ['needs-check']),
  entry('complete', 'report', '', 'the work is merged; only the report is left'),
  entry('blocked', STOP, '', 'it is blocked until a person solves what blocks it'),
  entry('cancelled', STOP, '', 'it was cancelled'),
];
