/** Who listens, and what was told to them. */
import { by, counter, type Family, gauge } from './family.ts';
import type { ReachSources } from './metric-sources.ts';

/** Takes where the figures come from; gives those of the clients as they are now. */
export function reachMetrics(sources: ReachSources): Family[] {
  const { channels, connections, screens, attachments, readers, requests } = sources;
  const { subscriptions, delivered, channels: filters } = channels.stats();
  const viewers = screens.stats();
  const { replaying, live, paused } = subscriptions;
  return [
    gauge('loopwatch_websocket_connections', 'Open WebSockets.', connections.open),
    gauge(
      'loopwatch_subscriptions',
      'Subscriptions over WebSocket: live, reading what they missed, or paused because the peer is behind.',
      by('state', { live, replaying, paused }),
    ),
    gauge('loopwatch_event_channels', 'Different filters of live subscriptions.', filters),
    gauge('loopwatch_watched_screens', 'Sessions whose screen somebody watches.', viewers.length),
    gauge(
      'loopwatch_screen_viewers',
      'Who watches screens, once for each screen.',
      viewers.reduce((sum, number) => sum + number, 0),
    ),
    gauge('loopwatch_attached_terminals', 'Viewers attached to terminals.', attachments.attached),
    gauge('loopwatch_event_streams', 'Open streams of Server-Sent Events.', readers.streams),
    gauge('loopwatch_long_polls', 'Requests that wait for an event.', readers.polls),
    counter(
      'loopwatch_events_delivered_total',
      'Events told since the daemon started, once for each who was told, by the way they went.',
      by('way', { websocket: delivered, sse: readers.streamed, poll: readers.polled }),
    ),
    counter(
      'loopwatch_http_requests_total',
      'Requests past the gate, by route of the contract and class of the answer.',
      requests.list().map(({ count, method, route, status }) => ({
        labels: { method, route, status },
        value: count,
      })),
    ),
  ];
}
