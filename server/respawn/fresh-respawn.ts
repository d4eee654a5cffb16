import type { RespawnConfig } from '../../shared/schema/loops/respawn.ts';
import { READY } from './checker/checker-state.ts';
import type { RespawnState } from './machine/respawn-state.ts';

/** One that was never started. */
export function freshRespawn(session: string, config: RespawnConfig): RespawnState {
  return {
    session,
    config,
    behindMs: 0,
    runs: 0,
    cycles: 0,
    pending: null,
    recent: [],
    actions: [],
    checks: 0,
    idleChecker: READY,
    planChecker: READY,
    breaker: { status: 'closed', misses: 0 },
    settled: [],
    run: null,
    visit: { status: 'stopped', at: null, by: null, author: null },
  };
}
