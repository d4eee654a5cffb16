/** A loop as the ledger and its budgets name it. */
import type { BudgetedWork, WorkNow } from '../../budgets/budgeted-work.ts';
import type { Budgets } from '../../budgets/budgets.ts';
import { AppError } from '../../lib/app-error.ts';
import { toIso } from '../../lib/clock.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { LoopState } from '../machine/loop-state.ts';
import { quotaWaitMs } from '../machine/quota-clock.ts';

/** Its project is the directory of its session, '' when that has ended. */
export function loopWork(
  { sessionName, startedBy }: Pick<LoopState, 'sessionName' | 'startedBy'>,
  sessions: Sessions,
): BudgetedWork {
  const project = sessions.has(sessionName) ? sessions.get(sessionName).cwd : '';
  return { subject: { kind: 'loop', id: sessionName }, project, person: startedBy };
}

/** What may use something now, and what failed for its budget. */
export function loopsNow(loops: readonly LoopState[], sessions: Sessions): WorkNow {
  const works = (isWanted: (loop: LoopState) => boolean) =>
    loops.filter(isWanted).map((loop) => loopWork(loop, sessions));
  return {
    atWork: works(({ status }) => status !== 'failed' && status !== 'restart_wait'),
    waiting: works(({ status, stop }) => status === 'failed' && isHeldBack(stop)),
  };
}

function isHeldBack(stop: LoopState['stop']): boolean {
  return stop?.reason === 'budget' || stop?.reason === 'reserve';
}

/** Before a loop starts. Throws `budget_spent` and `reserve_held`. */
export function requireBudget(
  loop: Pick<LoopState, 'sessionName' | 'startedBy'>,
  { budgets, sessions }: { budgets: Budgets; sessions: Sessions },
): void {
  const hold = budgets.check(loopWork(loop, sessions));
  if (hold === null) return;
  if (hold.reason === 'reserve') {
    const until = hold.untilMs === null ? '' : ` until ${toIso(hold.untilMs)}`;
    const change = 'try again then, or change it: loopwatch reserve';
    throw new AppError('reserve_held', `${hold.text}; kept for people${until}: ${change}`);
  }
  const next =
    hold.kind === 'spent'
      ? 'raise it: loopwatch budget ls, then loopwatch budget raise'
      : 'other work under it may use what is left: try again when that is done';
  throw new AppError('budget_spent', `${hold.text}; ${next}`);
}

/** Its age without waits for quota, in milliseconds. */
export function atWorkMs(state: LoopState): number {
  return state.ageMs - quotaWaitMs(state);
}
