import type { EventData, SessionClosedReason } from '../../schema/events/events.ts';
import { leftoverText } from './leftover-text.ts';

const REASON: Record<SessionClosedReason, string> = {
  user_closed: 'its terminal was closed',
  terminal_lost: 'its terminal was lost',
  requested: 'on request',
  start_failed: 'it could not start',
};

/** Why a session ended, and which of its processes are left. */
export function closedText({ reason, left = [] }: EventData<'session.closed'>): string {
  return left.length === 0 ? REASON[reason] : `${REASON[reason]}. ${leftoverText(left)}`;
}
