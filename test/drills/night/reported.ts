/** Whether the morning report names every unit of a night once. Pure. */
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { Report } from '../../../shared/schema/usage/report.ts';
import type { NightPlan } from './night-plan.ts';

/** Units that are missing, named twice, or of no work that was started. */
export function misreported(
  { units }: Report,
  events: readonly EventRecord[],
  plan: NightPlan,
): string[] {
  const named = units.map(({ id }) => id).filter((id) => /^(?:loop|task):/.test(id));
  const lives = events.flatMap(({ type, seq, session, data }) => {
    if (type === 'auto.started') return [`loop:${session ?? ''}@${seq}`];
    return type === 'task.created' ? [`task:${(data as { task: string }).task}@${seq}`] : [];
  });
  const works = [
    ...plan.loops.map(({ name }) => `loop:${name}`),
    ...plan.tasks.map(({ name }) => `task:${name}`),
  ];
  const ids = units.map(({ id }) => id);
  return [
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is named twice`),
    ...lives.filter((id) => !named.includes(id)).map((id) => `${id} is missing`),
    ...named.filter((id) => !lives.includes(id)).map((id) => `${id} was never begun`),
    ...works
      .filter((work) => !lives.some((id) => id.startsWith(`${work}@`)))
      .map((work) => `${work} never began`),
  ];
}
