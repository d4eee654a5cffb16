import type { ClaimedWork } from '../../claims/claimed-work.ts';
import { isUnclaimable } from '../machine/claims.ts';
import { ownerOf } from '../stores/run-record.ts';
import type { RunSupervisor } from './run-supervisor.ts';
import { worktreeRequests } from './work-place.ts';

/** A run as its claims see it. */
export function runClaim(run: RunSupervisor): ClaimedWork {
  const { id } = run.record;
  return {
    id,
    title: `run ${id}`,
    claims: () => run.record.state.claims ?? null,
    isOver: () => isUnclaimable(run.record.state),
    places: () => {
      const { record } = run;
      const directories = [record.request.directory];
      return { owner: ownerOf(id), directories, requests: worktreeRequests(record) };
    },
    notice: (input) => void run.notice(input),
  };
}
