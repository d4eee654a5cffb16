/** A loop as the ledger and its budgets name it. */
import type { BudgetedWork } from '../budgets/budgeted-work.ts';
import type { Budgets, WorkNow } from '../budgets/budgets.ts';
import { AppError } from '../lib/app-error.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { LoopState } from './machine/loop-state.ts';
import { quotaWaitMs } from './machine/quota-clock.ts';

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
    waiting: works(({ status, stop }) => status === 'failed' && stop?.reason === 'budget'),
  };
}

/** Before a loop starts. Throws `budget_spent`. */
export function requireBudget(
  loop: Pick<LoopState, 'sessionName' | 'startedBy'>,
  { budgets, sessions }: { budgets: Budgets; sessions: Sessions },
): void {
  const hold = budgets.check(loopWork(loop, sessions));
  if (hold === null) return;
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
