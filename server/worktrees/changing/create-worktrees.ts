import { TaskName } from '../../../shared/schema/tasks/task-name.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Serial } from '../../lib/serial.ts';
import { createWorktree, pathOf, type WorktreeRequest } from './create-worktree.ts';
import { requireRepository } from '../git/repository.ts';
import { restoreWorktree } from './restore-worktree.ts';
import { rollBack } from './roll-back.ts';
import type { WorktreeRecord } from '../worktree-store.ts';
import type { WorktreeTools } from '../worktree-tools.ts';

/** All of them for one owner; `known` finds the row of one to be restored. */
interface Requests {
  owner: string;
  task: string;
  requests: readonly WorktreeRequest[];
  known: (path: string) => WorktreeRecord | null;
}

/** Creates or restores all worktrees, or creates none. Throws what creating one throws. */
export async function createWorktrees(
  tools: WorktreeTools,
  serial: Serial,
  { owner, task, requests, known }: Requests,
): Promise<WorktreeRecord[]> {
  const { git, roots } = tools;
  for (const { name } of requests) requireName(name);
  const created: WorktreeRecord[] = [];
  const all: WorktreeRecord[] = [];
  try {
    for (const request of requests) {
      const repository = await requireRepository(git, request.repository, roots);
      await serial.run(repository.root, async () => {
        const record = known(pathOf(repository.root, request.name));
        if (record !== null) all.push(await restoreWorktree(tools, record, task));
        else {
          const fresh = await createWorktree(tools, repository, { owner, task, request });
          created.push(fresh);
          all.push(fresh);
        }
      });
    }
  } catch (error) {
    for (const record of created.reverse()) {
      await serial.run(record.repository, async () => rollBack(tools, record, task));
    }
    throw error;
  }
  return all;
}

function requireName(name: string): void {
  const parsed = TaskName.safeParse(name);
  if (parsed.success) return;
  const wanted = parsed.error.issues[0]?.message ?? '';
  throw new AppError('invalid_body', `${JSON.stringify(name)} is not a valid task name: ${wanted}`);
}
