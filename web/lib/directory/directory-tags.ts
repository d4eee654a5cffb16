import type { Directory } from '$shared/schema/modules/directories.ts';

/** The most important for a start comes first. */
export function directoryTags({
  access,
  task,
  git,
  loop,
  session,
  startable,
}: Directory): string[] {
  if (access === 'unreadable') return ['not readable'];
  if (access === 'outside') return ['outside the roots'];
  return [
    task === 'task' ? 'task' : task === 'tasks' ? 'has tasks' : null,
    loop === null ? null : `loop in ${loop.session_name}`,
    loop === null && session !== null ? `session ${session}` : null,
    git,
    startable ? null : 'loops not supported here',
  ].filter((word) => word !== null);
}
