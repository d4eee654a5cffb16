/** What the link delivers. */
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { ServerFrame, Views } from '$shared/schema/events/protocol.ts';

/** An event, or what the events before it changed. */
export type News = EventRecord | Views;

export type ScreenFrame = Extract<
  ServerFrame,
  { type: 'screen' } | { type: 'screen_closed' } | { type: 'error' }
>;

export function isEvent(news: News): news is EventRecord {
  return news.type !== 'views';
}
