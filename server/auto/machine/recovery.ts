/**
 * How a stalled loop is brought back to work: what is typed and counted, and what shows that it
 * helped. Two causes: a snapshot that does not change, a request the client stopped retrying.
 */
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { RecoveryCause, RecoveryFailure } from '../../../shared/schema/loops/auto-events.ts';
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import { isAtWork, emit, type Input, iso, type Step, evidenceFrom } from './step.ts';
import { requestStop } from './stopping.ts';

/** The caps: per iteration, and over the life of a loop. */
const RECOVERIES_PER_ITERATION = 3;
const RECOVERIES_IN_TOTAL = 10;

/** What was typed shows its effect within this, also on a slow machine. */
const VERIFY_MS = 60_000;

/** Snapshots further apart than this many heartbeats mean that the machine slept, not a stall. */
const SLEPT_HEARTBEATS = 3;

/** Failed requests that recover on their own; the others need a person. */
const TEMPORARY: readonly AgentState['cause'][] = [
  'rate_limit',
  'overloaded',
  'server_error',
  'network',
  'other_error',
];

/**
 * Waits that explain nothing: a loop without progress under one of them is stalled all the same.
 */
const UNEXPLAINED: readonly string[] = ['unknown_screen', 'hung_stream', 'stalled'];

/** The agent works again, or sent a signal: the stall is over. */
export function madeProgress(step: Step): void {
  const { state } = step;
  state.snapshot = null;
  if (state.status !== 'running') return;
  const { recovering, wait } = state;
  state.recovering = null;
  const isStalled = wait?.reason === 'stalled';
  if (isStalled) state.wait = null;
  if (recovering === null && !isStalled) return;
  const sinceMs = recovering?.sinceWallMs ?? Date.parse(wait?.since ?? '');
  const afterMs = Math.max(0, step.wallMs - sinceMs);
  const cause = recovering?.cause ?? 'stall';
  emit(step, { type: 'auto.recovered', data: { cause, after_seconds: afterMs / 1000 } });
}

/**
 * One observation of a running loop: did the agent react to what was typed, does it wait, has it
 * stopped on an error?
 */
export function observeScreen(
  step: Step,
  { known, wait }: Pick<Input<'observed'>, 'known' | 'wait'>,
): void {
  const { state } = step;
  if (state.status !== 'running') return;
  if (state.recovering !== null && known !== null && hasReacted(known, state.recovering)) {
    madeProgress(step);
  }
  if (known?.state === 'errored' && TEMPORARY.includes(known.cause)) return awaitRetry(step, known);
  state.dueMs = null;
  const isStalled = state.wait?.reason === 'stalled';
  // A wait that explains nothing does not end a stall.
  if (isStalled && (wait === null || UNEXPLAINED.includes(wait.reason))) return;
  if (isStalled) madeProgress(step);
  state.wait = wait;
}

/**
 * An agent that has asked something since then reacted to what was typed, just like one at work.
 */
function hasReacted(known: AgentState, { sinceWallMs }: { sinceWallMs: number }): boolean {
  return (isAtWork(known) || known.state === 'waiting') && Date.parse(known.since) >= sinceWallMs;
}

/** An agent that stopped on an error is nudged after a pause, which grows from time to time. */
function awaitRetry(step: Step, known: AgentState): void {
  const { state, policy } = step;
  if (state.status !== 'running' || state.dueMs !== null || isUnderWay(step, known)) return;
  const delays = policy.errorDelaysMs;
  const delay = delays[Math.min(state.recoveryCountStep, delays.length - 1)] ?? 0;
  const lines = known.detail === null ? [known.cause] : [known.detail];
  const evidence = [evidenceFrom(step, known.witness, ...lines)];
  state.dueMs = state.ageMs + delay;
  state.wait = { reason: 'api_error', since: known.since, until: null, evidence };
}

/** The failure that was just answered by typing, and still shows. */
function isUnderWay({ state, wallMs }: Step, known: AgentState): boolean {
  const { recovering } = state;
  if (recovering === null || Date.parse(known.since) > recovering.sinceWallMs) return false;
  return wallMs - recovering.sinceWallMs < VERIFY_MS;
}

/** The pause after a failed request is over. */
export function retryAfterError(step: Step): void {
  const { state } = step;
  if (state.status !== 'running') return;
  const evidence = state.wait?.evidence ?? [];
  state.dueMs = null;
  recover(step, 'api_error', { lines: [], answer: 'continue' }, evidence);
}

/** One snapshot at the heartbeat; enough equal ones raise the suspicion of a stall. */
export function onSnapshot(step: Step, input: Input<'snapshot'>): void {
  const { state, policy } = step;
  if (state.status !== 'running') return;
  const { mark, foreign, busy, asking, ageMs } = input;
  const waits = state.wait !== null && !UNEXPLAINED.includes(state.wait.reason);
  const slept =
    state.snapshot !== null &&
    ageMs - state.snapshot.seenMs > SLEPT_HEARTBEATS * policy.heartbeatMs;
  if (state.snapshot?.mark !== mark || waits || foreign || busy || slept) {
    const isStalled = state.wait?.reason === 'stalled';
    if (isStalled && state.snapshot !== null && state.snapshot.mark !== mark) madeProgress(step);
    state.snapshot = { mark, sinceMs: ageMs, seenMs: ageMs, repeats: 0 };
    return;
  }
  const { sinceMs, repeats } = state.snapshot;
  state.snapshot = { mark, sinceMs, seenMs: ageMs, repeats: repeats + 1 };
  if (repeats + 1 < policy.stallCaptures) return;
  const stillSeconds = (ageMs - sinceMs) / 1000;
  const evidence = [
    evidenceFrom(step, 'screen', ...asking.lines),
    evidenceFrom(step, 'clock', `nothing has changed for ${Math.round(stillSeconds)} s`),
  ];
  emit(step, {
    type: 'auto.stall_suspected',
    data: { captures: repeats + 1, still_seconds: stillSeconds, evidence },
  });
  // The previous answer was typed and had no effect.
  if (state.recovering !== null) {
    recoveryFailed(step, state.recovering.cause, 'no_progress', evidence);
  }
  // The next try comes after as many equal snapshots again.
  state.snapshot = { mark, sinceMs, seenMs: ageMs, repeats: 0 };
  const hung = state.wait?.reason === 'hung_stream' && !('answer' in asking);
  recover(step, 'stall', hung ? { lines: asking.lines, failure: 'hung_stream' } : asking, evidence);
}

/** Counts one recovery and types it, or reports why nothing is typed; the caps end the loop. */
function recover(
  step: Step,
  cause: RecoveryCause,
  asking: Input<'snapshot'>['asking'],
  evidence: Evidence[],
): void {
  const { state } = step;
  if (state.status !== 'running') return;
  const { recoveryCountStep: inStep, recoveryCountTotal: inTotal } = state;
  if (inStep >= RECOVERIES_PER_ITERATION || inTotal >= RECOVERIES_IN_TOTAL) {
    const counts = `${inStep} recoveries in this iteration, ${inTotal} in total`;
    return requestStop(step, 'stall_limit', 'daemon', [
      ...evidence,
      evidenceFrom(step, 'daemon', counts),
    ]);
  }
  state.recoveryCountStep += 1;
  state.recoveryCountTotal += 1;
  state.recovering = { cause, sinceWallMs: step.wallMs };
  if ('failure' in asking) return recoveryFailed(step, cause, asking.failure, evidence);
  emit(step, {
    type: 'auto.recovery_tried',
    data: { cause, answer: asking.answer, ...counts(step), evidence },
  });
  step.effects.push({ kind: 'type', cause, answer: asking.answer, asking: asking.lines });
}

/** A recovery had no effect: a person may want to check. */
export function recoveryFailed(
  step: Step,
  cause: RecoveryCause,
  failure: RecoveryFailure,
  evidence: Evidence[],
): void {
  const { state } = step;
  emit(step, {
    type: 'auto.recovery_failed',
    data: { cause, failure, ...counts(step), evidence },
  });
  if (state.status !== 'running') return;
  state.recovering = null;
  if (state.wait?.reason === 'stalled') return;
  state.wait = { reason: 'stalled', since: iso(step.wallMs), until: null, evidence };
}

function counts({ state }: Step) {
  return {
    recovery_count_step: state.recoveryCountStep,
    recovery_count_total: state.recoveryCountTotal,
  };
}
