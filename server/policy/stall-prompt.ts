import type { AskingKind } from './asking-words.ts';

/** What the screen of an agent that came to a stop asks. */
export interface StallPrompt {
  kind: AskingKind;
  /**
   * The lines that ask, without the client's own marks, and before them lines of the same message
   * that speak of what is hard to take back; at most 5.
   */
  lines: string[];
  where: 'agent_prose' | 'line';
}
