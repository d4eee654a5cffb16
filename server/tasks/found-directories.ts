/** The directories of a request from another host, as this one has them: found by their remotes. */
import type { Handover } from '../../shared/schema/tasks/placement.ts';
import type { CreateTask } from '../../shared/schema/tasks/task.ts';
import { AppError } from '../lib/app-error.ts';

/** Throws `project_missing` when this host does not have one of the repositories. */
export async function foundDirectories(
  request: CreateTask,
  { repositories }: Handover,
  find: (key: string) => Promise<string | null>,
): Promise<CreateTask> {
  const placeOf = async (path: string) => {
    const key = repositories.find((each) => each.path === path)?.key;
    const place = key === undefined ? null : await find(key);
    if (place !== null) return place;
    const next = 'clone it below a root of that host';
    throw new AppError('project_missing', `no repository with the remote of ${path}; ${next}`);
  };
  const { root_folder, projects } = request;
  return {
    ...request,
    root_folder: await placeOf(root_folder ?? ''),
    project_path: null,
    projects:
      projects &&
      (await Promise.all(
        projects.map(async (project) => ({ ...project, path: await placeOf(project.path) })),
      )),
  };
}
