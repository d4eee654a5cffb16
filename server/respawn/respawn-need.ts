import type { Need } from '../attention/attention-for.ts';
import type { RespawnBlock } from '../../shared/rules/respawn/respawn-names.ts';
import type { Reason } from '../../shared/schema/reasons.ts';
import type { RespawnState } from './machine/respawn-state.ts';

const NEEDS: Partial<Record<RespawnBlock, { reason: Reason; title: string }>> = {
  budget: { reason: 'budget', title: 'The budget is used up' },
  circuit_open: { reason: 'no_progress', title: 'Cycles of respawn change nothing' },
  stuck: { reason: 'stalled', title: 'Respawn is stuck' },
  agent_exited: {
    reason: 'agent_not_started',
    title: 'The agent has ended, and respawn waits for one',
  },
  reported_done: { reason: 'reported_done', title: 'The agent reports that it is done' },
  reported_blocked: { reason: 'reported_blocked', title: 'The agent reports that it is blocked' },
  no_agent: { reason: 'agent_not_started', title: 'No agent runs, and respawn waits for one' },
};

/** What respawn needs a person for, besides its agent's own requests. */
export function respawnNeed({ run }: RespawnState): Need | null {
  const need = run?.block == null ? undefined : NEEDS[run.block.reason];
  if (run?.block == null || run.pausedAtMs !== null || need === undefined) return null;
  const detail = run.block.evidence.flatMap(({ lines }) => lines).join('\n');
  return { ...need, detail: detail === '' ? null : detail };
}
