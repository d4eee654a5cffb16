import type { RunEvent } from '$shared/words/events/describe-run-event.ts';

/** Whether the plan may have changed: also its items, which the agent ticks with its tools. */
export function touchesPlan(event: RunEvent): boolean {
  if (event.type === 'run.interaction') return event.data.tool !== null;
  return ['run.plan', 'run.phase', 'run.status', 'run.done'].includes(event.type);
}
