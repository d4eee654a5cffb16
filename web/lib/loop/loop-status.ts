import { LOOP_STATUS_TEXT } from '$shared/words/work/loop-text.ts';
import type { Loop, LoopStatus } from '$shared/schema/model.ts';
import { reasonText } from '$shared/words/reason-text.ts';
import { badgeFor, type BadgeStyle } from '$lib/ui/tone.ts';

const LOOP_STATUS: Record<LoopStatus, BadgeStyle> = {
  starting: { label: LOOP_STATUS_TEXT.starting, tone: 'work', mark: 'ring' },
  running: { label: LOOP_STATUS_TEXT.running, tone: 'work', mark: 'disc' },
  stopping: { label: LOOP_STATUS_TEXT.stopping, tone: 'wait', mark: 'square' },
  quota_wait: { label: LOOP_STATUS_TEXT.quota_wait, tone: 'wait', mark: 'clock' },
  restart_wait: { label: LOOP_STATUS_TEXT.restart_wait, tone: 'wait', mark: 'clock' },
  failed: { label: LOOP_STATUS_TEXT.failed, tone: 'fail', mark: 'cross' },
  stopped: { label: LOOP_STATUS_TEXT.stopped, tone: 'idle', mark: 'dash' },
};

/** Of a session that respawn keeps going instead. */
export const RESPAWN_STYLE: BadgeStyle = { label: 'Respawn', tone: 'work', mark: 'disc' };

/** For a running loop that waits, the badge shows the wait. */
export function loopStyle(loop: Pick<Loop, 'status' | 'wait'> | null): BadgeStyle {
  if (loop?.status !== 'running' || loop.wait === null)
    return badgeFor(LOOP_STATUS, loop?.status ?? 'stopped');
  return { label: reasonText(loop.wait.reason).label, tone: 'wait', mark: 'clock' };
}
