/** What is under supervision, what waits, what became of it, and who is told. */
import { LoopStatus, Session } from '../../shared/schema/model.ts';
import { TaskStatus } from '../../shared/schema/tasks/task-status.ts';
import { by, counter, type Family, gauge } from './exposition-text.ts';
import type { MetricSources, ReachSources } from './metric-sources.ts';

/** Takes where the figures come from; gives those of the work as they are now. */
export function workMetrics(sources: MetricSources): Family[] {
  const { log, sessions, loops, tasks, attention, inputs, alerts, terminals } = sources;
  const openStatuses = sessions.list().map(({ status }) => status);
  return [
    gauge(
      'loopwatch_sessions',
      'Sessions by status.',
      by('status', countEach(Session.shape.status.options, openStatuses)),
    ),
    gauge(
      'loopwatch_loops',
      'Auto loops by status.',
      by('status', countEach(LoopStatus.options, loops.statuses())),
    ),
    gauge(
      'loopwatch_tasks',
      'Tasks by status.',
      by('status', countEach(TaskStatus.options, tasks.statuses())),
    ),
    gauge('loopwatch_attention_open', 'Items that wait for a person.', attention.countOpen()),
    gauge(
      'loopwatch_inputs',
      'Inputs on their way: held until they can be typed, or being typed.',
      by('delivery', inputs.countOpen()),
    ),
    counter(
      'loopwatch_inputs_settled_total',
      'Inputs by what became of them since the daemon started.',
      by('delivery', inputs.settled),
    ),
    gauge(
      'loopwatch_alert_deliveries',
      'Deliveries that wait for their attempt, and those that were given up (dead).',
      by('state', alerts.countUnsent()),
    ),
    counter(
      'loopwatch_alert_attempts_total',
      'Attempts by outcome: sent, failed and to be made again, or given up.',
      by('outcome', alerts.attempts),
    ),
    counter(
      'loopwatch_terminal_captures_total',
      'Pictures taken of terminals, for whatever reason.',
      terminals.captures,
    ),
    counter(
      'loopwatch_events_appended_total',
      'Events ever written to this database: the number of the newest.',
      log.head,
    ),
    gauge('loopwatch_events_stored', 'Events kept in the log.', log.head - log.oldest + 1),
    ...reachMetrics(sources.reach),
  ];
}

/** Who listens, and what was told to them. */
function reachMetrics(sources: ReachSources): Family[] {
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

/** Gives for each of a closed union how often it was found, 0 included. */
function countEach(options: readonly string[], found: readonly string[]): Record<string, number> {
  const counts = Object.fromEntries(options.map((option) => [option, 0]));
  for (const each of found) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
}
