/** What people wrote to a run, and whether it arrived, from its events. Pure. */
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { TaskInputState } from '$shared/schema/tasks/task-input.ts';

export interface RunInput {
  id: string;
  preview: string;
  author: string | null;
  state: TaskInputState;
  /** When its state changed last. */
  at: string;
}

export const INPUT_EVENTS = 'run.input_queued,run.input_delivered';

/** `events` in any order; the newest inputs last. */
export function runInputs(events: readonly EventRecord[]): RunInput[] {
  const inputs = new Map<string, RunInput>();
  for (const event of [...events].sort((a, b) => a.seq - b.seq)) {
    if (event.type === 'run.input_queued') {
      const { id, preview, author } = event.data;
      const state = 'queued' as const;
      inputs.set(id, { id, preview, author: author ?? null, state, at: event.at });
    }
    if (event.type !== 'run.input_delivered') continue;
    const known = inputs.get(event.data.id);
    if (known !== undefined)
      inputs.set(known.id, { ...known, state: event.data.state, at: event.at });
  }
  return [...inputs.values()];
}
