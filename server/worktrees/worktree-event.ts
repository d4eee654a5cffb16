import type { EventDraft } from '../../shared/schema/events/events.ts';
import type { WorktreeAction } from '../../shared/schema/tasks/project.ts';

interface WorktreeFact {
  action: WorktreeAction;
  path: string;
  branch: string;
  /** The ref that keeps work held by nothing else. */
  backup_ref: string | null;
  detail?: string;
}

const RUN = 'run:';

/** What happened to a worktree, as an event of its owner: a run, or the task of that name. */
export function worktreeEvent(owner: string, name: string, fact: WorktreeFact): EventDraft {
  return owner.startsWith(RUN)
    ? { type: 'run.worktree', data: { run: owner.slice(RUN.length), ...fact } }
    : { type: 'task.worktree', data: { task: name, ...fact } };
}
