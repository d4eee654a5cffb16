import type { Fleet } from '$lib/state/fleet.ts';
import type { StartPrefill } from '$lib/state/start-request.svelte.ts';
import type { HistoryUnit } from '$shared/schema/history.ts';

/** What to start a loop again with; null when that makes no sense. */
export function restartPrefill(
  { kind, name, state, project, agent }: HistoryUnit,
  fleet: Fleet,
): StartPrefill | null {
  // Running the demo again makes no sense.
  if (kind !== 'loop' || state !== 'ended' || project === null || agent !== 'claude') return null;
  const running = Object.values(fleet.loops).filter(({ loop }) => loop.status !== 'failed');
  if (running.some(({ loop }) => loop.task_dir === project)) return null;
  const isFree =
    fleet.sessions[name] !== undefined && running.every(({ loop }) => loop.session_name !== name);
  return { session: isFree ? name : null, taskDir: project };
}
