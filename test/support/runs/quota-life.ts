/** What a loop at a usage limit observes. */
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import { type Life, POLICY, SEEN, START_WALL } from '../auto/loop-life.ts';

export const HOUR = 3_600_000;
export const GRACE = POLICY.quotaDelaysMs[0] ?? 0;

export function at(ms: number): string {
  return new Date(START_WALL + ms).toISOString();
}

/** Observes an agent in that state; by default ready since now. `turn`: the quota gate lets it try. */
export function knows(life: Life, change: Partial<AgentState>, turn = true): Life {
  const known: AgentState = {
    state: 'ready',
    cause: 'none',
    detail: null,
    witness: 'record',
    until: null,
    since: at(life.ageMs),
    ...change,
  };
  return life.meet({ ...SEEN, known, mayTry: turn });
}

/** At its prompt since before the limit, whose time has come: nothing else has happened. */
export function idle(life: Life, turn = true): Life {
  return knows(life, { since: at(0) }, turn);
}

export function limit(life: Life, until: number | null): Life {
  const detail = "You've hit your 5-hour limit";
  const limited = { state: 'limited', cause: 'five_hour', witness: 'screen', detail } as const;
  return knows(life, { ...limited, until: until === null ? null : at(until) });
}
