import type { LoopStatus } from '$shared/model.ts';
import type { Mark, Tone } from '$lib/ui/tone.ts';

interface StatusLook {
  label: string;
  tone: Tone;
  mark: Mark;
}

/** Each status by word, shape and colour, so that none of them carries it alone. */
export const LOOP_STATUS: Record<LoopStatus, StatusLook> = {
  starting: { label: 'Starting', tone: 'work', mark: 'ring' },
  running: { label: 'Running', tone: 'work', mark: 'disc' },
  stopping: { label: 'Stopping', tone: 'wait', mark: 'square' },
  quota_wait: { label: 'Waiting for quota', tone: 'wait', mark: 'clock' },
  restart_wait: { label: 'Waiting to restart', tone: 'wait', mark: 'clock' },
  failed: { label: 'Failed', tone: 'fail', mark: 'cross' },
  stopped: { label: 'No loop', tone: 'idle', mark: 'dash' },
};
