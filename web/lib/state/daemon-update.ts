/** Messages shown once about the connection and the daemon. */
import type { LinkUpdate } from '$lib/client/link-history.ts';
import { formatClock } from '$lib/ui/text/format-time.ts';
import type { ResetReason } from '$shared/schema/events/cursor.ts';

export type DaemonUpdate =
  ({ kind: 'back' } & LinkUpdate) | { kind: 'restarted'; startedAt: string; version: string };

const RELOADED: Record<ResetReason, string> = {
  epoch: 'The daemon has a different database: it was restored or recreated.',
  expired: 'More events were missed than the daemon keeps.',
  future: 'The daemon’s log ends before the last event this page saw.',
};

export function updateText(update: DaemonUpdate): string {
  if (update.kind === 'restarted') {
    return `The daemon restarted at ${formatClock(update.startedAt)}, version ${update.version}.`;
  }
  if (update.reason !== null)
    return `Reconnected. ${RELOADED[update.reason]} Everything was reloaded.`;
  if (update.missed === 0 || update.missed === null) return 'Reconnected. Nothing was missed.';
  const were = update.missed === 1 ? '1 event was' : `${update.missed} events were`;
  return `Reconnected. ${were} missed and ${update.missed === 1 ? 'is' : 'are'} shown now.`;
}
