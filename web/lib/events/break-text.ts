/** Why the list of events has a line across it. */
import type { ResetReason } from '$shared/schema/cursor.ts';

export const BREAK_TEXT: Record<ResetReason | 'unknown', string> = {
  expired:
    'This page was away for longer than the log keeps. What is still kept was read from the log; some of what came between is gone.',
  epoch:
    'The daemon has another database since here, such as a restored backup. The events before it belong to the other one.',
  future:
    'The log of the daemon ended before what this page had seen, so its database was put back. The list was read again.',
  unknown: 'The connection was lost here for a while. What came meanwhile was read from the log.',
};

/** Why the event that a link names is not shown. */
export const MISSING_TEXT: Record<ResetReason, string> = {
  expired: 'The event of this link is no longer kept: the log removes the oldest by itself.',
  epoch:
    'The event of this link belongs to another database: a backup was restored since, or the daemon has another home.',
  future: 'The log has no event of that number yet.',
};
