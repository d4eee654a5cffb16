/** A place in the event stream: `after` is the last seq seen, `epoch` the life of its database. */
import { z } from 'zod';

/** `after: null` = live only, 0 = from the oldest kept, > 0 = everything after that seq. */
export interface Cursor {
  after: number | null;
  epoch: string | null;
}

export const ResetReason = z.enum(['expired', 'epoch', 'future']);
export type ResetReason = z.infer<typeof ResetReason>;

const CURSOR_TEXT = /^(?:([A-Za-z0-9]{1,40}):)?(\d{1,15})$/;

/** Takes `seq` or `epoch:seq`; gives the cursor, or null when the text is neither. */
export function parseCursor(text: string): Cursor | null {
  const match = CURSOR_TEXT.exec(text);
  return match === null ? null : { epoch: match[1] ?? null, after: Number(match[2]) };
}

/** Takes an epoch and a seq; gives the text form that identifies one event for ever. */
export function formatCursor(epoch: string, seq: number): string {
  return `${epoch}:${seq}`;
}
