import type { DIRECTORY_ENDPOINTS } from '../../../../shared/endpoints/sessions/directory-endpoints.ts';
import type { PROJECT_ENDPOINTS } from '../../../../shared/endpoints/work/project-endpoints.ts';
import type { GitBranches } from '../../../../shared/schema/tasks/project.ts';
import type { Task } from '../../../../shared/schema/tasks/task.ts';
import type { Directories } from '../../../projects/directories.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { Projects } from '../../../projects/projects.ts';
import type { Handlers } from '../../endpoint-handler.ts';

export interface ProjectRoutesOptions {
  directories: Directories;
  sessions: Projects;
  /** Throws `outside_roots`, `project_missing`, `not_a_repository`, `git_failed`. */
  branches: (path: string, type: 'local' | 'remote' | 'all') => Promise<GitBranches>;
  tasksOf: (sessionId: string) => Task[];
}

type Names = keyof typeof DIRECTORY_ENDPOINTS | keyof typeof PROJECT_ENDPOINTS;

/** Directories and branches to choose from, the tasks of a project, and the plain health check. */
export function projectRoutes({
  directories,
  sessions,
  branches,
  tasksOf,
}: ProjectRoutesOptions): Handlers<Names> {
  return {
    getHealth: () => ({ status: 200, body: { status: 'healthy' } }),
    listDirectories: async ({ query }) => ({ status: 200, body: await directories.list(query) }),
    browseDirectories: async ({ query }) => ({
      status: 200,
      body: await browse(directories, query.path),
    }),
    listGitBranches: async ({ query }) => ({
      status: 200,
      body: await branches(query.path, query.branch_type),
    }),
    openProjectSession: ({ body }) => ({ status: 200, body: sessions.open(body.project_path) }),
    getProjectSession: ({ params }) => ({ status: 200, body: sessions.get(params.id) }),
    listProjectTasks: ({ params }) => ({
      status: 200,
      body: tasksOf(sessions.get(params.id).id),
    }),
  };
}

/** Without a path: the content of the first root. */
async function browse(directories: Pick<Directories, 'list'>, path: string | undefined) {
  const all = { match: '', hidden: false } as const;
  const place = path ?? (await directories.list(all)).directories[0]?.path;
  if (place === undefined) {
    throw new AppError('project_missing', 'none of the configured roots exists; create one');
  }
  const { here, parent, directories: found } = await listed(directories, { ...all, path: place });
  return {
    current_path: here?.path ?? place,
    parent_path: parent,
    directories: found.map(({ name, path: childPath, access }) => ({
      name,
      path: childPath,
      accessible: access === 'open',
    })),
  };
}

/** A missing directory has its own error code here, and is the caller's mistake. */
async function listed(
  directories: Pick<Directories, 'list'>,
  query: Parameters<Directories['list']>[0],
) {
  try {
    return await directories.list(query);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'directory_missing') throw error;
    throw new AppError('project_missing', `${error.message}; choose another`);
  }
}
