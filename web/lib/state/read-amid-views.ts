import type { Views } from '$shared/schema/events/protocol.ts';

/**
 * Reads and uses the answer, then follows the views that came meanwhile: the answer may be older
 * than they are. Throws what `read` throws.
 */
export async function readAmidViews<Answer>(
  feed: { listenViews: (listener: (views: Views) => void) => () => void },
  read: () => Promise<Answer>,
  use: (answer: Answer) => void,
  follow: (views: Views) => void,
): Promise<void> {
  const missed: Views[] = [];
  const ignore = feed.listenViews((views) => missed.push(views));
  try {
    use(await read());
  } finally {
    ignore();
  }
  for (const views of missed) follow(views);
}
