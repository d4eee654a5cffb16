import type { LiveWork } from '$lib/state/live-work.ts';
import type { StartPrefill } from '$lib/state/start-request.svelte.ts';
import type { HistoryUnit } from '$shared/schema/events/history.ts';

/** What to start a loop again with; null when that makes no sense. */
export function restartPrefill(
  { kind, name, state, project, agent }: HistoryUnit,
  work: LiveWork,
): StartPrefill | null {
  // Running the demo again makes no sense.
  if (kind !== 'loop' || state !== 'ended' || project === null || agent !== 'claude') return null;
  const running = Object.values(work.loops).filter(({ loop }) => loop.status !== 'failed');
  if (running.some(({ loop }) => loop.task_dir === project)) return null;
  const isFree =
    work.sessions[name] !== undefined && running.every(({ loop }) => loop.session_name !== name);
  return { session: isFree ? name : null, taskDir: project };
}
