import type { StartRun } from '../../../shared/schema/runs/run-requests.ts';
import type { RunState } from '../machine/run-state.ts';

/** What a person asked for, and where it happens. */
export interface RunRequest {
  /** Every default filled in. */
  options: StartRun;
  /** Real path: the root of the repository, or the directory itself. */
  directory: string;
  /** Without a repository a run has no worktree and no branch. */
  isRepository: boolean;
  /** Where its limits come from, for a run that was taken from a checkpoint. */
  limitsFrom?: 'checkpoint' | 'default';
}

export interface RunRecord {
  id: string;
  request: RunRequest;
  state: RunState;
  /** As the agent wrote it; null before. */
  agentPlan: string | null;
  /** As it was accepted, or edited before; null as long as it is the agent's. */
  acceptedPlan: string | null;
  createdBy: string | null;
  createdAt: string;
  updatedAt: string;
}

/** What the run works by. */
export function planOf({ agentPlan, acceptedPlan }: RunRecord): string | null {
  return acceptedPlan ?? agentPlan;
}

/** Whether it works in its own worktree rather than in the directory itself. */
export function hasWorktree({ options, isRepository }: RunRequest): boolean {
  return options.use_worktree && isRepository;
}

/** The key of its worktrees, interactions and inputs: those of tasks are in the same tables. */
export function ownerOf(id: string): string {
  return `run:${id}`;
}
