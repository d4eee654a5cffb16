import type { RecoveryFailure } from '../schema/loops/auto-events.ts';

/** Why a recovery came to nothing, in words a person can act on. */
export const RECOVERY_FAILURE_TEXT: Record<RecoveryFailure, string> = {
  no_prompt: 'nothing on the screen asks for an answer',
  hung_stream: 'the agent waits for words that do not come',
  not_understood: 'what the agent shows is not understood, so nothing was typed',
  off: 'answering by itself is switched off',
  destructive: 'what is asked may destroy something, so a person must say it',
  not_safe: 'what is asked is not surely harmless, so a person must say it',
  not_delivered: 'the answer could not be typed',
  no_progress: 'nothing followed what was typed',
};
