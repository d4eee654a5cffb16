/** What new worktrees of each project get. */
import { z } from 'zod';
import { RootFolder } from '../../schema/tasks/project.ts';
import { ProjectSetup, SetProjectSetup } from '../../schema/tasks/project-setup.ts';
import type { Endpoint } from '../endpoint.ts';

export const PROJECT_SETUP_ENDPOINTS = {
  listProjectSetups: {
    method: 'GET',
    path: '/api/projects/setups',
    summary: 'List what new worktrees of each project get.',
    role: 'viewer',
    responses: { 200: z.object({ setups: z.array(ProjectSetup) }) },
    errors: [],
  },
  setProjectSetup: {
    method: 'PUT',
    path: '/api/projects/setups',
    summary: 'Set what new worktrees of a project get; replaces what was set.',
    role: 'operator',
    body: SetProjectSetup,
    responses: { 200: ProjectSetup },
    errors: ['outside_roots', 'project_missing', 'not_a_repository', 'git_failed'],
  },
  removeProjectSetup: {
    method: 'DELETE',
    path: '/api/projects/setups',
    summary: 'Remove the setup of a project.',
    role: 'operator',
    query: z.strictObject({ path: RootFolder }),
    responses: { 200: z.object({ project: z.string() }) },
    errors: [
      'project_setup_unknown',
      'outside_roots',
      'project_missing',
      'not_a_repository',
      'git_failed',
    ],
  },
} as const satisfies Record<string, Endpoint>;
