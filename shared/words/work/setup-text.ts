/** The setup of a project in sentences: the same in the shell and on the page. */
import type { ProjectSetup } from '../../schema/tasks/project-setup.ts';

/** One line for each thing a new worktree gets. */
export function setupLines({ project, copy, share, ...commands }: ProjectSetup): string[] {
  const { setup, teardown, minutes } = commands;
  return [
    `New worktrees of ${project}:`,
    ...(copy.length === 0 ? [] : [`  copied: ${copy.join(', ')}`]),
    ...(share.length === 0 ? [] : [`  shared: ${share.join(', ')}`]),
    ...(setup === null ? [] : [`  then: ${setup} (at most ${minutes} min)`]),
    ...(teardown === null ? [] : [`  before removal: ${teardown}`]),
    ...(commands.is_on ? [] : ['  Off: it came from a backup. Set it again to use it.']),
  ];
}
