/**
 * The line with which an agent ends its message when it has nothing left to do, or cannot continue.
 * Prose is none: an agent says "done" at the end of most turns.
 */
import type { LastMessage } from '../../sessions/watching/agent-details.ts';

export interface StatusLine {
  status: 'done' | 'blocked';
  /** As the agent wrote it. */
  line: string;
  witness: LastMessage['witness'];
}

/** `DONE` stands alone; `BLOCKED` may be followed by its reason. Plain or bold. */
const DONE = /^STATUS: DONE\.?$/;
const BLOCKED = /^STATUS: BLOCKED(?![\w-])/;

/** Null when the last line of the message is no such line. */
export function readStatusLine({ end, witness }: LastMessage): StatusLine | null {
  const line = end.trimEnd().split('\n').at(-1)?.trim() ?? '';
  const plain = line.replaceAll('**', '');
  if (DONE.test(plain)) return { status: 'done', line, witness };
  return BLOCKED.test(plain) ? { status: 'blocked', line, witness } : null;
}
