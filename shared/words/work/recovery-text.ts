import type { RecoveryFailure } from '../../schema/loops/auto-events.ts';

/** Why a recovery failed. */
export const RECOVERY_FAILURE_TEXT: Record<RecoveryFailure, string> = {
  no_prompt: 'no prompt on the screen to answer',
  hung_stream: 'the model stream hung',
  not_understood: 'the screen is not recognized, so nothing was typed',
  off: 'automatic answers are off',
  destructive: 'the prompt may be destructive; needs a human decision',
  not_safe: 'the prompt is not known to be safe; needs a human decision',
  not_delivered: 'the answer could not be typed',
  no_progress: 'no progress after typing',
};
