/** What the first message of a task is made of: what people wrote, and what the host sees on disk. */
import { basename } from 'node:path';
import type { Project } from '../../../shared/schema/tasks/project.ts';
import { realDirectory } from '../../lib/real-directory.ts';
import type { StartMessage, StartProject } from '../messages/start-message.ts';
import { projectMarkers } from '../../projects/project-markers.ts';
import type { TaskRecord } from '../task-record.ts';
import type { SupervisorOptions } from './task-supervisor-options.ts';

type Options = Pick<SupervisorOptions, 'worktrees' | 'environment'> & { record: () => TaskRecord };

/** Takes a task whose places are prepared; gives the facts. */
export function startFacts({ worktrees, environment, record }: Options): StartMessage {
  const { id, plan } = record();
  const made = worktrees.of(id);
  const describe = (path: string, project: Partial<Project>): StartProject => {
    const access = project.access ?? 'write';
    const real = realDirectory(path)?.path ?? path;
    const own = access === 'write' ? made.find(({ repository }) => repository === real) : undefined;
    return {
      name: basename(path),
      access,
      context: project.context ?? '',
      branch: own?.branch ?? null,
      base: own?.base ?? null,
      markers: projectMarkers(own?.path ?? path),
      type: project.project_type ?? null,
      paths: [...names(path), ...names(own?.path)],
    };
  };
  const root = plan.projects.find(({ path }) => path === plan.rootFolder) ?? {};
  const others = plan.projects.filter(({ path }) => path !== plan.rootFolder);
  return {
    description: plan.description,
    context: plan.projectContext,
    criteria: plan.criteria,
    projects: [
      describe(plan.rootFolder, root),
      ...others.map((project) => describe(project.path, project)),
    ],
    homes: names(environment['HOME']),
  };
}

/** A directory as it was named, and without links. */
function names(path: string | undefined): string[] {
  if (path === undefined || path === '') return [];
  const real = realDirectory(path)?.path ?? path;
  return real === path ? [path] : [path, real];
}
