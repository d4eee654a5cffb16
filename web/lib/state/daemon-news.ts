/** What a person is told once, in words, of the connection and of the daemon behind it. */
import type { LinkNews } from '$lib/client/link-story.ts';
import { formatClock } from '$lib/ui/format-time.ts';
import type { ResetReason } from '$shared/schema/cursor.ts';

export type DaemonNews =
  ({ kind: 'back' } & LinkNews) | { kind: 'restarted'; startedAt: string; version: string };

const READ_ANEW: Record<ResetReason, string> = {
  epoch: 'The daemon has another database than before: it was restored, or made anew.',
  expired: 'More was missed than the daemon keeps.',
  future: 'The daemon’s log ends before what this page had seen.',
};

/** Takes a piece of news; gives it in words. */
export function newsText(news: DaemonNews): string {
  if (news.kind === 'restarted') {
    return `The daemon was started again at ${formatClock(news.startedAt)}, version ${news.version}.`;
  }
  if (news.reason !== null) return `Back. ${READ_ANEW[news.reason]} Everything was read again.`;
  if (news.missed === 0 || news.missed === null) return 'Back. Nothing was missed.';
  const were = news.missed === 1 ? '1 event was' : `${news.missed} events were`;
  return `Back. ${were} missed and ${news.missed === 1 ? 'is' : 'are'} shown now.`;
}
