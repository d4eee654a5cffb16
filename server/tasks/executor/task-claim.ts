import type { ClaimedWork } from '../../claims/claimed-work.ts';
import { isUnclaimable } from '../machine/ending.ts';
import type { TaskSupervisor } from './task-supervisor.ts';
import { worktreeRequests } from './work-directories.ts';

/** A task as its claims see it. */
export function taskClaim(task: TaskSupervisor): ClaimedWork {
  const { id, name } = task.record;
  return {
    id,
    title: `task ${name}`,
    claims: () => task.record.state.claims,
    isOver: () => isUnclaimable(task.record.state),
    places: () => {
      const { plan } = task.record;
      const written = plan.projects.filter(({ access }) => access === 'write');
      const directories = [plan.rootFolder, ...written.map(({ path }) => path)];
      return { owner: id, directories, requests: worktreeRequests(name, plan) };
    },
    notice: (input) => void task.notice(input),
  };
}
