/** Projects: directories and branches to choose from, a directory's tasks; the health check. */
import { z } from 'zod';
import { GitBranches, ProjectSession, RootFolder } from '../../schema/tasks/project.ts';
import { Task } from '../../schema/tasks/task.ts';
import type { Endpoint } from '../endpoint.ts';

const BY_ID = { params: z.object({ id: z.uuid() }), unknown: 'project_session_unknown' } as const;

export const PROJECT_ENDPOINTS = {
  getHealth: {
    method: 'GET',
    path: '/health',
    summary: 'Check that the daemon answers.',
    role: 'viewer',
    responses: { 200: z.object({ status: z.literal('healthy') }) },
    errors: [],
  },
  browseDirectories: {
    method: 'GET',
    path: '/api/v1/browse-directories',
    summary: 'List the subdirectories of a directory below the roots (default: the first root).',
    role: 'operator',
    query: z.strictObject({ path: RootFolder.optional() }),
    responses: {
      200: z.object({
        current_path: z.string(),
        parent_path: z.string().nullable(),
        directories: z.array(
          z.object({ name: z.string(), path: z.string(), accessible: z.boolean() }),
        ),
      }),
    },
    errors: ['outside_roots', 'project_missing', 'directory_unreadable'],
  },
  listGitBranches: {
    method: 'GET',
    path: '/api/v1/git-branches',
    summary: 'List the branches of a repository below the roots.',
    role: 'operator',
    query: z.strictObject({
      path: RootFolder,
      branch_type: z.enum(['local', 'remote', 'all']).default('all'),
    }),
    responses: { 200: GitBranches },
    errors: ['outside_roots', 'project_missing', 'not_a_repository', 'git_failed'],
  },
  openProjectSession: {
    method: 'POST',
    path: '/api/v1/sessions',
    summary: 'Get the project of a directory; created on the first call.',
    role: 'operator',
    body: z.strictObject({ project_path: RootFolder }),
    responses: { 200: ProjectSession },
    errors: ['outside_roots', 'project_missing'],
  },
  getProjectSession: {
    method: 'GET',
    path: '/api/v1/sessions/:id',
    summary: 'Get a project.',
    role: 'viewer',
    ...BY_ID,
    responses: { 200: ProjectSession },
    errors: ['project_session_unknown'],
  },
  listProjectTasks: {
    method: 'GET',
    path: '/api/v1/sessions/:id/tasks',
    summary: 'List the tasks of a project.',
    role: 'viewer',
    ...BY_ID,
    responses: { 200: z.array(Task) },
    errors: ['project_session_unknown'],
  },
} as const satisfies Record<string, Endpoint>;
