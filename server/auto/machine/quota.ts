/**
 * The wait for quota. It begins with a limit reported by a witness, pauses the clock of the time
 * limit, and ends when the agent is at work again: on its own, or after one nudge, which the quota
 * gate admits after the reset and which counts only when work follows.
 */
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import { isLimitDialog } from '../../../shared/rules/limit-dialog.ts';
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import { isAtWork, emit, enter, type Input, iso, type Step, evidenceFrom } from './step.ts';
import { NOTHING, type StateIn, UNANSWERED } from './loop-state.ts';
import { leaveQuota } from './quota-clock.ts';
import { recoveryFailed } from './recovery.ts';

/** Without a known reset: a short limit is retried after this. */
const UNKNOWN_RESET_MS = 15 * 60_000;

/** A nudge shows its effect within this. The client shows a failed request within seconds. */
const VERIFY_MS = 60_000;

/** Deadlines that moved by less are the same: no write for a rounding. */
const SAME_DEADLINE_MS = 1_000;

/** A reset read from text is known to the minute; one further off is another. */
const SAME_RESET_MS = 60_000;

/** How often the client's dialog about a limit is left, and how far apart at least. */
const LEAVE_DIALOG_TIMES = 3;
const LEAVE_DIALOG_EVERY_MS = 5_000;

export function isLimited(known: AgentState | null): known is AgentState {
  return known !== null && (known.state === 'limited' || isLimitDialog(known));
}

export function enterQuota(step: Step, known: AgentState): void {
  const { state } = step;
  const untilMs = known.until === null ? null : Date.parse(known.until);
  const evidence = [limitSeen(step, known)];
  enter(state, {
    ...NOTHING,
    status: 'quota_wait',
    quota: { ...UNANSWERED, sinceMs: state.ageMs, untilMs },
    wait: { reason: 'quota', since: iso(step.wallMs), until: known.until, evidence },
    dueMs: firstNudgeMs(step, untilMs),
  });
  state.snapshot = null;
  emit(step, { type: 'auto.quota_entered', data: { until: known.until, evidence } });
  leaveDialog(step, known);
}

/** One observation of a loop that waits for quota. */
export function watchQuota(step: Step, { known, mayTry }: Input<'observed'>): void {
  const { state, policy } = step;
  if (state.status !== 'quota_wait' || known === null) return;
  if (isAtWork(known)) return confirmWork(step, state);
  const before = state.quota;
  state.quota = { ...before, workingSinceMs: null };
  // A question is work as well: the agent would not ask without a response of its model.
  if (known.state === 'waiting' && known.cause !== 'dialog') return resume(step);
  if (known.state === 'ready' && (before.workingSinceMs !== null || isNews(step, known))) {
    return resume(step);
  }
  if (isLimited(known)) followReset(step, state, known);
  leaveDialog(step, known);
  if (before.nudgedAtMs !== null) {
    const limitedAgain =
      isLimited(known) && Date.parse(known.since) > step.wallMs - (state.ageMs - before.nudgedAtMs);
    const late = state.ageMs - before.nudgedAtMs >= VERIFY_MS;
    if (before.workingSinceMs !== null || limitedAgain || late) nudgeFailed(step);
    return;
  }
  if (state.dueMs === null || state.ageMs < state.dueMs || !mayTry) return;
  state.quota = { ...state.quota, nudges: before.nudges + 1, nudgedAtMs: state.ageMs };
  state.dueMs = state.ageMs + VERIFY_MS;
  const tries = `nudge ${before.nudges + 1} of ${policy.quotaDelaysMs.length}`;
  const evidence = [...state.wait.evidence, evidenceFrom(step, 'clock', tries)];
  emit(step, {
    type: 'auto.recovery_tried',
    data: {
      cause: 'quota',
      answer: 'continue',
      recovery_count_step: state.recoveryCountStep,
      recovery_count_total: state.recoveryCountTotal,
      evidence,
    },
  });
  step.quota.push('tried');
  step.effects.push({ kind: 'type', cause: 'quota', answer: 'continue', asking: [] });
}

/** The nudge could not be typed, or had no effect: retry later, and in the end ask a person. */
export function nudgeFailed(step: Step, detail?: string): void {
  const { state, policy } = step;
  if (state.status !== 'quota_wait' || state.quota.nudgedAtMs === null) return;
  const { nudges } = state.quota;
  state.quota = { ...state.quota, nudgedAtMs: null, workingSinceMs: null };
  const { untilMs } = state.quota;
  const delay = policy.quotaDelaysMs[nudges];
  if (untilMs !== null && untilMs > step.wallMs) state.dueMs = firstNudgeMs(step, untilMs);
  else state.dueMs = delay === undefined ? null : state.ageMs + delay;
  const text = detail ?? 'no work followed the nudge';
  step.quota.push('closed');
  const failure = detail === undefined ? 'no_progress' : 'not_delivered';
  recoveryFailed(step, 'quota', failure, [evidenceFrom(step, 'daemon', text)]);
}

/** In the dialog an Enter could choose to pay, and nothing can be typed. It is left once seen. */
function leaveDialog({ state, effects, wallMs }: Step, known: AgentState): void {
  if (state.status !== 'quota_wait') return;
  const { times, atMs } = state.dialogLeft ?? { times: 0, atMs: -Infinity };
  if (!isLimitDialog(known) || times >= LEAVE_DIALOG_TIMES) return;
  if (state.ageMs - atMs < LEAVE_DIALOG_EVERY_MS) return;
  state.dialogLeft = { times: times + 1, atMs: state.ageMs, wallMs };
  effects.push({ kind: 'leave_limit_dialog' });
}

/**
 * Work counts once it lasts: a request that runs into the limit again looks like work for a moment.
 */
function confirmWork(step: Step, state: StateIn<'quota_wait'>): void {
  const { idleConfirmMs } = step.policy;
  const since = state.quota.workingSinceMs ?? state.ageMs;
  state.quota = { ...state.quota, workingSinceMs: since };
  if (state.ageMs - since >= idleConfirmMs) resume(step);
  else state.dueMs = since + idleConfirmMs;
}

function limitSeen(step: Step, { witness, detail, cause }: AgentState): Evidence {
  return evidenceFrom(step, witness, detail ?? cause);
}

/**
 * A turn may be over before the next poll: any state the agent entered since the wait began is
 * news.
 */
function isNews({ state: { wait, dialogLeft } }: Step, { since }: AgentState): boolean {
  const sinceMs = Date.parse(since);
  // That it is at its prompt without the dialog is what leaving it does.
  const isOfDialog = dialogLeft !== null && sinceMs <= dialogLeft.wallMs + LEAVE_DIALOG_EVERY_MS;
  return wait !== null && sinceMs > Date.parse(wait.since) && !isOfDialog;
}

function resume(step: Step): void {
  leaveQuota(step, step.state.quota?.nudgedAtMs == null ? 'by_itself' : 'nudged');
}

/**
 * The reset is wall time, which may jump and continues while the machine sleeps: recalculated each
 * time. Another reset than before is another limit, with its own nudges.
 */
function followReset(step: Step, state: StateIn<'quota_wait'>, known: AgentState): void {
  const { wallMs } = step;
  if (known.until === null) return;
  const untilMs = Date.parse(known.until);
  const isOther = Math.abs(untilMs - (state.quota.untilMs ?? 0)) > SAME_RESET_MS;
  if (isOther) {
    state.quota = { ...state.quota, untilMs, nudges: untilMs > wallMs ? 0 : state.quota.nudges };
    const evidence = [limitSeen(step, known)];
    state.wait = { ...state.wait, until: known.until, evidence };
  }
  if (state.quota.nudges > 0 || state.quota.nudgedAtMs !== null) return;
  const dueMs = firstNudgeMs(step, state.quota.untilMs);
  // After the reset the client gets its time: each poll would only postpone the nudge.
  if (untilMs <= wallMs && state.dueMs !== null && state.dueMs <= dueMs) return;
  if (Math.abs(dueMs - (state.dueMs ?? 0)) >= SAME_DEADLINE_MS) state.dueMs = dueMs;
}

function firstNudgeMs({ state, policy, wallMs }: Step, untilMs: number | null): number {
  const left = untilMs === null ? UNKNOWN_RESET_MS : Math.max(0, untilMs - wallMs);
  return state.ageMs + left + (policy.quotaDelaysMs[0] ?? 0);
}
