/** What happens to input sent to an agent. */
import type { Mark, Tone } from '$lib/ui/tone.ts';
import type { TaskInputState } from '$shared/schema/tasks/task-input.ts';

export const INPUT_STYLE: Record<
  TaskInputState,
  { label: string; meaning: string; tone: Tone; mark: Mark }
> = {
  queued: {
    label: 'Queued',
    tone: 'wait',
    mark: 'clock',
    meaning: 'Next in line: sent before any automatic prompt.',
  },
  sending: {
    label: 'Sending',
    tone: 'work',
    mark: 'half',
    meaning: 'Passed to the agent, not confirmed yet.',
  },
  delivered: { label: 'Delivered', meaning: 'The agent confirmed it.', tone: 'good', mark: 'tick' },
  unknown: {
    label: 'Unknown',
    tone: 'wait',
    mark: 'dash',
    meaning:
      'The daemon went down while sending this. It is never sent twice automatically: check whether the agent got it, and send it again if not.',
  },
  cancelled: { label: 'Cancelled', meaning: 'It was not sent.', tone: 'idle', mark: 'cross' },
};
