/** What is typed to an agent that asks whether to continue, decided only here. Pure. */
import type { RecoveryMode } from '../../../shared/schema/loops/recovery-mode.ts';
import { riskOfLines } from '../deny-list.ts';
import type { StallPrompt } from '../asking-patterns.ts';

export type RecoveryAnswer =
  /** Typed and followed by Enter; '' is Enter alone. */
  | { answer: string }
  /** Left to a person: by the setting, because of its words, or because `safe` is stricter. */
  | { refused: 'off' | 'destructive' | 'not_safe' };

/** No mode answers a prompt with destructive words. */
export function recoveryAnswer(prompt: StallPrompt, mode: RecoveryMode): RecoveryAnswer {
  if (mode === 'off') return { refused: 'off' };
  const risk = riskOfLines(prompt.lines);
  if (risk === 'denied') return { refused: 'destructive' };
  // The lists are English: text they do not cover cannot be cleared.
  if (risk === 'unreadable') return { refused: 'not_safe' };
  if (prompt.kind === 'continuation') {
    return { answer: prompt.where === 'line' ? '' : 'continue' };
  }
  if (risk === 'doubtful' && mode === 'safe') return { refused: 'not_safe' };
  return { answer: prompt.kind === 'yes_no' ? 'y' : 'yes' };
}
