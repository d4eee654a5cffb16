/** Where the views of changed things come from: the same as the lists of the API have. */
import { shownItem } from '../attention/shown-item.ts';
import type { Config } from '../lib/config/config.ts';
import type { ViewSources } from '../ws/event-views.ts';
import type { Services } from './open-services.ts';

export function openViews(
  { foundDetails }: Readonly<Config>,
  { loops, tasks, phased, attention, sessions, usage }: Services,
): ViewSources {
  return {
    loop: (session) => loops.find(session),
    task: (name) => tasks.scheduler.listed(name),
    queue: () =>
      tasks.scheduler.queued().map(({ task_name, queue_position, wait }) => {
        return { task_name, queue_position, wait };
      }),
    run: (id) => phased.board.summary(id),
    inbox: (subject, role) =>
      attention.openOf(subject).map((item) => shownItem(item, role, foundDetails)),
    usage: (session) => (sessions.has(session) ? usage.ofSession(sessions.get(session)) : null),
  };
}
