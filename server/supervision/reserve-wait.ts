import type { Wait } from '../../shared/schema/model.ts';
import { reasonText } from '../../shared/words/reason-text.ts';
import type { BudgetHold } from '../budgets/budgeted-work.ts';
import { toIso } from '../lib/clock.ts';

/** What queued work shows while it waits for what is kept for people. */
export function reserveWait({ text, untilMs }: BudgetHold, sinceMs: number): Wait {
  const since = toIso(sinceMs);
  return {
    reason: 'reserve',
    since,
    until: untilMs === null ? null : toIso(untilMs),
    next: reasonText('reserve').next,
    evidence: [{ witness: 'daemon', at: since, lines: [text] }],
  };
}
