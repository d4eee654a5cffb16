/** Messages shown once about the connection and the daemon. */
import type { LinkUpdate } from '$lib/client/link-history.ts';
import { formatClock } from '$lib/ui/format-time.ts';
import type { ResetReason } from '$shared/schema/cursor.ts';

export type DaemonUpdate =
  ({ kind: 'back' } & LinkUpdate) | { kind: 'restarted'; startedAt: string; version: string };

const RELOADED: Record<ResetReason, string> = {
  epoch: 'The daemon has a different database: it was restored or recreated.',
  expired: 'More events were missed than the daemon keeps.',
  future: 'The daemon’s log ends before the last event this page saw.',
};

export function updateText(news: DaemonUpdate): string {
  if (news.kind === 'restarted') {
    return `The daemon restarted at ${formatClock(news.startedAt)}, version ${news.version}.`;
  }
  if (news.reason !== null) return `Reconnected. ${RELOADED[news.reason]} Everything was reloaded.`;
  if (news.missed === 0 || news.missed === null) return 'Reconnected. Nothing was missed.';
  const were = news.missed === 1 ? '1 event was' : `${news.missed} events were`;
  return `Reconnected. ${were} missed and ${news.missed === 1 ? 'is' : 'are'} shown now.`;
}
