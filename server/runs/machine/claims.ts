/** What a run does about the claims on its remote branch. */
import type { ClaimInput } from '../../claims/claimed-work.ts';
import { stop } from './ending.ts';
import type { RunState } from './run-state.ts';
import type { Step } from './step.ts';

export function onClaim(step: Step, input: ClaimInput): void {
  const { run, state, events } = step;
  const isQueued = state.now.stage === 'queued';
  switch (input.kind) {
    case 'claimed':
      if (isQueued) state.claims = input.claims;
      return;
    case 'held': {
      const { reason, detail } = input;
      if (isQueued) events.push({ type: 'run.held', data: { run, reason, detail } });
      return;
    }
    case 'unclaimed':
      if (isUnclaimable(state)) state.claims = null;
      return;
    case 'claim_lost':
      return loseClaim(step, input.holder);
  }
}

/** Nothing of it runs, and it continues only when a person starts it: others may work there. */
export function isUnclaimable({ now }: Pick<RunState, 'now'>): boolean {
  if (now.stage !== 'over') return false;
  const { status, reason } = now.result;
  return status === 'done' || (status === 'stopped' && reason === 'user_stop');
}

/**
 * Another host may do this work: what runs is ended. What waits in the queue claims it again, and
 * waits for that host.
 */
function loseClaim(step: Step, holder: string | null): void {
  const { run, state, events } = step;
  state.claims = null;
  const { stage } = state.now;
  if (stage === 'over' || stage === 'ending' || stage === 'queued') return;
  events.push({ type: 'claim.lost', data: { run, holder } });
  stop(step, 'claim_lost', holder === null ? null : `Host ${holder} has the claim now.`);
}
