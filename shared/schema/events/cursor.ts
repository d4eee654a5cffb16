/** A position in the event stream: `after` is the last seq seen, `epoch` the database's life. */
import { z } from 'zod';

/** `after: null` = live only, 0 = from the oldest kept, > 0 = everything after that seq. */
export interface Cursor {
  after: number | null;
  epoch: string | null;
}

export const ResetReason = z.enum(['expired', 'epoch', 'future']);
export type ResetReason = z.infer<typeof ResetReason>;

const CURSOR_TEXT = /^(?:([A-Za-z0-9]{1,40}):)?(\d{1,15})$/;

/** Reads `seq` or `epoch:seq`; null for anything else. */
export function parseCursor(text: string): Cursor | null {
  const match = CURSOR_TEXT.exec(text);
  return match === null ? null : { epoch: match[1] ?? null, after: Number(match[2]) };
}

/** This text identifies one event permanently. */
export function formatCursor(epoch: string, seq: number): string {
  return `${epoch}:${seq}`;
}
