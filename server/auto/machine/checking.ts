/**
 * How the end that an agent announced is proven: the host runs the task's checks before the loop ends
 * as completed. Until their result is in the loop waits; any other stop withdraws the check.
 */
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import type {
  CheckedCommand,
  CheckOutcome,
  Unproven,
} from '../../../shared/schema/loops/loop-check.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import { leaveQuota } from './quota-clock.ts';
import { emit, type Input, iso, type Step, evidenceFrom, enterRunning } from './step.ts';
import { end, enterStopping } from './stopping.ts';

/** After these the loop ends unproven: an agent that cannot fix it must not try forever. */
const SEND_BACKS = 3;

const NOTHING = 'nothing to run';
const MAX_TEXT = 1_000;

const UNPROVEN: Record<CheckOutcome, Unproven | undefined> = {
  passed: undefined,
  failed: 'checks_failed',
  none: 'no_checks',
  error: 'not_checked',
};

/** The agent is over, and said so in another way than by a stop that is under way. */
export function claimEnd(step: Step, reason: Reason, evidence: Evidence[]): void {
  if (!isChecked(step, reason)) return end(step, reason, evidence);
  const { state } = step;
  leaveQuota(step, 'agent_gone');
  const requestedAt = iso(step.wallMs);
  enterStopping(state, { reason, by: 'agent', author: '', requestedAt, step: 'asked', evidence });
  beginCheck(step);
}

/** The agent that announced its end is idle or has exited. */
export function endAnnounced(step: Step): void {
  const reason = step.state.stop?.reason ?? 'completed';
  if (isChecked(step, reason)) beginCheck(step);
  else end(step, reason);
}

/** The host found what to run. */
export function onCheckBegun(step: Step, { commands }: Input<'check_begun'>): void {
  const { state } = step;
  if (state.status !== 'stopping' || state.check === null) return;
  const lines = commands.length === 0 ? [NOTHING] : commands;
  const evidence = [evidenceFrom(step, 'checks', ...lines)];
  state.wait = { reason: 'checking', since: iso(step.wallMs), until: null, evidence };
  emit(step, { type: 'auto.check_started', data: { commands } });
}

export function onChecked(step: Step, { result }: Input<'checked'>): void {
  const { state, policy } = step;
  if (state.status !== 'stopping' || state.check === null) return;
  // Not a loop whose end is checked: nothing to report.
  if (result === null) {
    state.check = null;
    return end(step, state.stop.reason);
  }
  const { outcome, checks, detail } = result;
  emit(step, { type: 'auto.checked', data: result });
  const lines = detail === null ? checks.map(resultLine) : [detail];
  const seen = evidenceFrom(step, 'checks', ...(lines.length === 0 ? [NOTHING] : lines));
  const evidence = [...state.stop.evidence, seen];
  const isSentBack = policy.stopCheck === 'send_back' && state.sentBack < SEND_BACKS;
  if (outcome === 'failed' && isSentBack) {
    state.check = { failed: evidence };
    // Counted before it is typed: the agent may report again before the delivery is known.
    state.sentBack += 1;
    emit(step, { type: 'auto.sent_back', data: { times: state.sentBack, evidence } });
    step.effects.push({ kind: 'send_back', text: sendBackText(checks) });
    return;
  }
  state.check = null;
  end(step, 'completed', evidence, UNPROVEN[outcome]);
}

/** The failure was typed to the agent, or could not be. */
export function onSentBack(step: Step, isTyped: boolean): void {
  const { state } = step;
  if (state.status !== 'stopping' || state.check === null) return;
  const { failed } = state.check;
  if (failed === null) return;
  state.check = null;
  if (!isTyped) return end(step, 'completed', failed, 'checks_failed');
  enterRunning(state);
}

function isChecked({ policy }: Step, reason: Reason): boolean {
  return reason === 'completed' && policy.stopCheck !== 'off';
}

function beginCheck(step: Step): void {
  const { state } = step;
  if (state.status !== 'stopping' || state.check !== null) return;
  state.check = { failed: null };
  state.idleSinceMs = null;
  step.effects.push({ kind: 'check' });
}

/** One line, because Enter in the client sends it. */
function sendBackText(checks: readonly CheckedCommand[]): string {
  const failed = checks.filter(({ status }) => status === 'failed').map(resultLine);
  return (
    `Loopwatch ran the checks of this task in a clean checkout, and they fail: ${failed.join('; ')}. ` +
    'Fix the cause, commit it, then report the last step of the loop again.'
  ).slice(0, MAX_TEXT);
}

function resultLine({ command, status, exit_code, output }: CheckedCommand): string {
  if (status === 'passed') return `${command}: passed`;
  if (status === 'no_tests') return `${command}: no tests`;
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  const end = exit_code === null ? 'did not exit' : `exit code ${exit_code}`;
  return `${command}: ${end}${last === '' ? '' : `, ${last}`}`;
}
