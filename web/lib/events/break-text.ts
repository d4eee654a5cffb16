/** Why the list of events has a break. */
import type { ResetReason } from '$shared/schema/events/cursor.ts';

export const BREAK_TEXT: Record<ResetReason | 'unknown', string> = {
  expired:
    'This page was disconnected for longer than the log keeps. The events still kept were loaded; some in between are lost.',
  epoch:
    'The daemon has a different database from here on, such as a restored backup. Earlier events belong to the old one.',
  future:
    'The daemon’s log ended before the last event this page saw, so its database was rolled back. The list was reloaded.',
  unknown:
    'The connection was lost here for a while. Events from that time were loaded from the log.',
};

/** Why the event that a link names is not shown. */
export const MISSING_TEXT: Record<ResetReason, string> = {
  expired: 'The linked event is no longer kept: the log drops the oldest events.',
  epoch:
    'The linked event is from a different database: a backup was restored, or the daemon has a different home.',
  future: 'The log has no event with that number yet.',
};
