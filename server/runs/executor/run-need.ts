import type { Need } from '../../attention/attention-for.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { RunState } from '../machine/run-state.ts';

const TITLES: Partial<Record<Reason, string>> = {
  permission: 'The agent needs permission',
  question: 'The agent asks a question',
  repeats_itself: 'The agent is repeating itself',
  login_needed: 'The agent needs a login',
  agent_error: 'The agent has an error that won’t resolve on its own',
  plan_review: 'The plan waits for your review',
  stuck: 'The run is stuck',
  fix_limit: 'The run used up its fix rounds',
  no_verdict: 'The reviewer gave no verdict',
  budget: 'The budget is used up',
  reserve: 'What is left of the window is kept for people',
  timeout: 'The run reached its time limit',
  max_cost: 'The run reached its cost limit',
  max_tokens: 'The run reached its token limit',
  restored: 'The run was cut off by a restored backup',
  claim_lost: 'The claim on its branch was released: stopped',
};

/** What a run needs a person for, or null. */
export function runNeed({ now, notMerged }: Pick<RunState, 'now' | 'notMerged'>): Need | null {
  if (now.stage === 'waiting') {
    // A reset or a pause ends on its own.
    if (now.dueMs !== null) return null;
    const { reason, lines } = now;
    const detail = lines.length === 0 ? null : lines.join('\n');
    return { reason, title: TITLES[reason] ?? 'The run is waiting for you', detail };
  }
  if (now.stage !== 'over') return null;
  const { status, reason, error } = now.result;
  if (status === 'done' && notMerged != null) {
    return { reason, title: 'The work was not merged', detail: notMerged };
  }
  const needs = status === 'failed' || reason === 'restored' || reason === 'claim_lost';
  return needs ? { reason, title: TITLES[reason] ?? 'The run failed', detail: error } : null;
}
