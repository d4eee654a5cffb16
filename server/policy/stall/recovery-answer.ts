/** What is typed to an agent that asks whether to go on: the one place that decides it. Pure. */
import type { RecoveryMode } from '../../../shared/schema/loops/recovery-mode.ts';
import { riskOfLines } from '../risky-words.ts';
import type { StallPrompt } from '../asking-words.ts';

export type RecoveryAnswer =
  /** Typed and followed by Enter; '' is Enter alone. */
  | { answer: string }
  /** Left to a person: by the setting, for its words, or because `safe` asks for more. */
  | { refused: 'off' | 'destructive' | 'not_safe' };

/**
 * Takes a prompt and the mode of the loop; gives the answer or why there is none. What the list of
 * destructive words touches is answered in no mode.
 */
export function recoveryAnswer(prompt: StallPrompt, mode: RecoveryMode): RecoveryAnswer {
  if (mode === 'off') return { refused: 'off' };
  const risk = riskOfLines(prompt.lines);
  if (risk === 'denied') return { refused: 'destructive' };
  // The lists are English: what they cannot read they cannot clear.
  if (risk === 'unreadable') return { refused: 'not_safe' };
  if (prompt.kind === 'continuation') {
    return { answer: prompt.where === 'line' ? '' : 'continue' };
  }
  if (risk === 'doubtful' && mode === 'safe') return { refused: 'not_safe' };
  return { answer: prompt.kind === 'yes_no' ? 'y' : 'yes' };
}
