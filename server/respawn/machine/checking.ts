/** The result of a check: a verdict, an error, or an answer that came too late. */
import type { RespawnCheck } from '../../../shared/rules/respawn/respawn-names.ts';
import { type CheckEnd, settle } from '../checker/checker-state.ts';
import { checkerOf, checkerPolicy, setChecker, reportCheck } from './checks.ts';
import { fire } from './fire.ts';
import { acceptPlan, closedGate } from './plan.ts';
import type { CheckResult } from './respawn-state.ts';
import { at, type Input, type Step, witnessed } from './step.ts';

export function onVerdict(step: Step, { check: id, result }: Input<'verdict'>): void {
  const { kept } = step;
  const check = (['idle', 'plan'] as const).find((each) => {
    const checker = checkerOf(kept, each);
    return checker.status === 'checking' && checker.id === id;
  });
  if (check !== undefined) settleCheck(step, check, result);
}

/** The time limit of the machine: nothing ended the check in time. */
export function onCheckTimeout(step: Step): void {
  const { idleChecker } = step.kept;
  if (idleChecker.status !== 'checking') return;
  step.effects.push({ kind: 'drop_check', id: idleChecker.id });
  settleCheck(step, 'idle', { error: 'no answer within the time limit' });
}

function settleCheck(step: Step, check: RespawnCheck, result: CheckResult): void {
  const { kept, nowMs } = step;
  const before = checkerOf(kept, check);
  if (before.status !== 'checking') return;
  const end = endOf(check, result);
  const after = settle(before, before.id, end, nowMs, checkerPolicy(kept, check));
  if (after === null) return;
  setChecker(kept, check, after);
  const until = after.status === 'cooldown' ? at(step, after.untilMs) : undefined;
  if (end.kind === 'error') {
    const disabled = after.status === 'disabled';
    reportCheck(step, check, { status: 'failed', detail: end.reason, until, disabled });
  } else {
    const { verdict, reasoning: detail } = end;
    reportCheck(step, check, { status: 'answered', verdict, detail, until });
  }
  if (check === 'idle') idleChecked(step, end);
  else planChecked(step, before.id, end);
}

/** A verdict that does not belong to its check counts as none. */
function endOf(check: RespawnCheck, result: CheckResult): CheckEnd {
  if ('error' in result) return { kind: 'error', reason: result.error };
  const { verdict, reasoning } = result;
  const [yes, no] = check === 'idle' ? ['IDLE', 'WORKING'] : ['PLAN_MODE', 'NOT_PLAN_MODE'];
  if (verdict === yes) return { kind: 'positive', verdict, reasoning };
  if (verdict === no) return { kind: 'negative', verdict, reasoning };
  return { kind: 'error', reason: `${verdict} is no verdict of this check` };
}

function idleChecked(step: Step, end: CheckEnd): void {
  const words = end.kind === 'error' ? end.reason : `${end.verdict}: ${end.reasoning}`;
  const why = [witnessed(step, 'daemon', words)];
  if (end.kind === 'error') return fire(step, 'check_failed', why);
  if (end.kind === 'negative') return fire(step, 'verdict_working', why);
  step.run.signs.verdict = { atMs: step.nowMs, reasoning: end.reasoning };
  fire(step, 'verdict_idle', why);
}

/** The gates are tried once more: the screen may be another by now. */
function planChecked(step: Step, id: string, end: CheckEnd): void {
  const { visit, run } = step;
  if (visit.status !== 'watching' || visit.planCheck !== id) return;
  visit.planCheck = null;
  if (end.kind === 'positive') {
    if (run.pausedAtMs === null && closedGate(step) === null) acceptPlan(step);
    return;
  }
  const { planChecker } = step.kept;
  visit.due.auto_accept = planChecker.status === 'cooldown' ? planChecker.untilMs : null;
}
