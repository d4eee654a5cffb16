/** Turns a request into a run that can begin, or a refusal that explains the problem. */
import { randomBytes } from 'node:crypto';
import type { PermissionMode } from '../../shared/schema/tasks/permission-mode.ts';
import type { StartRun } from '../../shared/schema/runs/run-requests.ts';
import { AppError } from '../lib/app-error.ts';
import { requireProject } from '../projects/require-project.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { hasWorktree, type RunRecord, type RunRequest } from './stores/run-record.ts';

export interface PlanRunOptions {
  worktrees: Pick<Worktrees, 'repositoryOf' | 'requireMergeTarget'>;
  roots: readonly string[];
  defaultProject: string | null;
  defaultPermissions: PermissionMode;
}

/** Its date first, so that ids sort as runs do; unique also across machines. */
export function newRunId(nowMs: number): string {
  const [date = '', time = ''] = new Date(nowMs).toISOString().split('T');
  const digits = (text: string) => text.replaceAll(/[-:]/g, '');
  return `${digits(date)}-${digits(time.slice(0, 8))}-${randomBytes(4).toString('hex')}`;
}

/**
 * Throws `invalid_body`, `outside_roots`, `project_missing`, `project_busy`, `worktree_needed`,
 * `branch_missing`.
 */
export async function planRun(
  body: StartRun,
  others: readonly RunRecord[],
  options: PlanRunOptions,
): Promise<RunRequest> {
  const wanted = body.cwd ?? options.defaultProject;
  if (wanted === null) {
    throw new AppError('invalid_body', 'cwd: name the directory to work in');
  }
  const directory = requireProject(wanted, options.roots);
  const repository = await options.worktrees.repositoryOf(directory);
  const request: RunRequest = {
    options: {
      ...body,
      cwd: directory,
      permission_mode: body.permission_mode ?? options.defaultPermissions,
    },
    directory: repository?.root ?? directory,
    isRepository: repository !== null,
  };
  requireOwnPlace(request, others);
  await requireTarget(request, options);
  return request;
}

/** Found out before the work, not after it. */
async function requireTarget(request: RunRequest, { worktrees }: PlanRunOptions): Promise<void> {
  const { merge_into: into, branch } = request.options;
  if (into == null) return;
  if (!hasWorktree(request)) {
    const next = 'use a worktree in a git repository, or merge it yourself';
    throw new AppError('worktree_needed', `merge_into needs a branch of the run's own; ${next}`);
  }
  if (into === branch) {
    throw new AppError('invalid_body', 'merge_into: must be another branch than the run works on');
  }
  try {
    await worktrees.requireMergeTarget(request.directory, into);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `merge_into: ${error.message}`, { field: 'merge_into' });
  }
}

/** Two that write in one directory without a worktree would undo each other's work. */
export function requireOwnPlace(request: RunRequest, others: readonly RunRecord[]): void {
  if (hasWorktree(request)) return;
  if (request.options.gates.length > 0) {
    const next = 'use a worktree in a git repository, or remove the gates';
    throw new AppError('worktree_needed', `gates run in a checkout of a commit; ${next}`);
  }
  const other = others.find(
    (run) => run.request.directory === request.directory && run.state.now.stage !== 'over',
  );
  if (other === undefined) return;
  const next = 'use a worktree, or wait until it ends';
  const message = `run ${other.id} works in ${request.directory}; ${next}`;
  throw new AppError('project_busy', message);
}
