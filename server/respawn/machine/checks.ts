/** The two checkers: asking one, and cancelling an answer that is no longer needed. */
import { CHECK_ERRORS } from '../../../shared/rules/respawn/respawn-keys.ts';
import type { RespawnCheck } from '../../../shared/rules/respawn/respawn-names.ts';
import { ask, type CheckerPolicy, type CheckerState, drop } from '../checker/checker-state.ts';
import type { Kept } from './respawn-state.ts';
import { emit, note, type Step } from './step.ts';

export function checkerOf(kept: Kept, check: RespawnCheck): CheckerState {
  return check === 'idle' ? kept.idleChecker : kept.planChecker;
}

export function setChecker(kept: Kept, check: RespawnCheck, checker: CheckerState): void {
  if (check === 'idle') kept.idleChecker = checker;
  else kept.planChecker = checker;
}

export function checkerPolicy({ config }: Kept, check: RespawnCheck): CheckerPolicy {
  return check === 'idle'
    ? { cooldownMs: config.idle_check_cooldown_ms, errorPauseMs: CHECK_ERRORS.idle_pause_ms }
    : { cooldownMs: config.plan_check_cooldown_ms, errorPauseMs: CHECK_ERRORS.plan_pause_ms };
}

/** The name of the check; call only when its guard says that it may be asked. */
export function startCheck(step: Step, check: RespawnCheck): string {
  const { kept, nowMs } = step;
  kept.checks += 1;
  const id = `${kept.runs}.${kept.checks}`;
  setChecker(kept, check, ask(checkerOf(kept, check), id, nowMs) ?? checkerOf(kept, check));
  step.effects.push({ kind: 'ask', check, id });
  reportCheck(step, check, { status: 'started' });
  return id;
}

/** Does nothing when no check runs. */
export function dropCheck(step: Step, check: RespawnCheck): void {
  const checker = checkerOf(step.kept, check);
  if (checker.status !== 'checking') return;
  setChecker(step.kept, check, drop(checker));
  step.effects.push({ kind: 'drop_check', id: checker.id });
  reportCheck(step, check, { status: 'dropped' });
}

export function reportCheck(
  step: Step,
  check: RespawnCheck,
  end: {
    status: 'started' | 'answered' | 'failed' | 'dropped';
    verdict?: string;
    detail?: string;
    until?: string;
    disabled?: boolean;
  },
): void {
  const { status, verdict = null, detail = null, until = null, disabled = false } = end;
  emit(step, {
    type: 'respawn.check',
    data: { check, status, verdict, detail: detail?.slice(0, 300) ?? null, until, disabled },
  });
  note(step, 'check', `${check}: ${verdict ?? status}${detail === null ? '' : ` (${detail})`}`);
}
