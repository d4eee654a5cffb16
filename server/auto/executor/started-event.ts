import type { EventData, EventDraft } from '../../../shared/schema/events/events.ts';
import type { LoopState } from '../machine/loop-state.ts';

/** The start of a loop; `adopted`: what is known of its time before the log. */
export function startedEvent(
  state: LoopState,
  adopted?: EventData<'auto.started'>['adopted'],
): EventDraft {
  const { sessionName, runId, taskDir, maxIterations, timeoutMinutes, startedBy } = state;
  return {
    type: 'auto.started',
    session: sessionName,
    data: {
      run_id: runId,
      task_dir: taskDir,
      max_iterations: maxIterations,
      timeout_minutes: timeoutMinutes,
      agent: state.agent,
      permissions: state.permissions,
      ...(startedBy === '' ? {} : { author: startedBy }),
      ...(adopted === undefined ? {} : { adopted }),
    },
  };
}
