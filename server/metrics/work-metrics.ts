/** What is under supervision, what waits, outcomes, and open clients. */
import { LoopStatus, Session } from '../../shared/schema/model.ts';
import { RESPAWN_STATES } from '../../shared/rules/respawn/respawn-names.ts';
import { RunStatus } from '../../shared/schema/runs/run-phase.ts';
import { TaskStatus } from '../../shared/schema/tasks/task-status.ts';
import { by, counter, type Family, gauge } from './exposition-text.ts';
import type { MetricSources, ReachSources } from './metric-sources.ts';

export function workMetrics(sources: MetricSources): Family[] {
  const { log, sessions, loops, respawns, tasks, runs, attention, inputs, alerts, terminals } =
    sources;
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
      'loopwatch_respawns',
      'Sessions with respawn by state.',
      by('state', countEach(RESPAWN_STATES, respawns.states())),
    ),
    gauge(
      'loopwatch_tasks',
      'Tasks by status.',
      by('status', countEach(TaskStatus.options, tasks.statuses())),
    ),
    gauge(
      'loopwatch_runs',
      'Runs by status.',
      by('status', countEach(RunStatus.options, runs.statuses())),
    ),
    gauge('loopwatch_attention_open', 'Open inbox items.', attention.countOpen()),
    gauge(
      'loopwatch_inputs',
      'Pending inputs: held until they can be typed, or being typed.',
      by('delivery', inputs.countOpen()),
    ),
    counter(
      'loopwatch_inputs_settled_total',
      'Inputs by delivery outcome since the daemon started.',
      by('delivery', inputs.settled),
    ),
    gauge(
      'loopwatch_alert_deliveries',
      'Alert deliveries by state: waiting for an attempt, or dead.',
      by('state', alerts.countUnsent()),
    ),
    counter(
      'loopwatch_alert_attempts_total',
      'Delivery attempts by outcome: sent, failed and to be retried, or dead.',
      by('outcome', alerts.attempts),
    ),
    counter(
      'loopwatch_terminal_captures_total',
      'Snapshots taken of terminals.',
      terminals.captures,
    ),
    counter(
      'loopwatch_events_appended_total',
      'Sequence number of the newest event in this database.',
      log.head,
    ),
    gauge('loopwatch_events_stored', 'Events kept in the log.', log.head - log.oldest + 1),
    ...usageMetrics(sources),
    ...reachMetrics(sources.reach),
  ];
}

/** Counted over all daemons of this database. */
function usageMetrics({ usage }: MetricSources): Family[] {
  const totals = usage.totals();
  return [
    counter(
      'loopwatch_usage_tokens_total',
      'Tokens in the usage ledger, by kind and where they were read.',
      totals.flatMap(({ source, input, output, cacheRead, cacheWrite }) =>
        Object.entries({ input, output, cache_read: cacheRead, cache_write: cacheWrite }).map(
          ([kind, value]) => ({ labels: { kind, source }, value }),
        ),
      ),
    ),
    counter(
      'loopwatch_usage_cost_dollars_total',
      'Cost in the usage ledger in US dollars as clients report it, by where it was read.',
      totals.map(({ source, costMicros }) => ({ labels: { source }, value: costMicros / 1e6 })),
    ),
  ];
}

/** Open clients, and what was sent to them. */
function reachMetrics(sources: ReachSources): Family[] {
  const { channels, connections, screens, attachments, readers, requests } = sources;
  const { subscriptions, delivered, channels: filters } = channels.stats();
  const viewers = screens.stats();
  const { replaying, live, paused } = subscriptions;
  return [
    gauge('loopwatch_websocket_connections', 'Open WebSockets.', connections.open),
    gauge(
      'loopwatch_subscriptions',
      'WebSocket subscriptions: live, catching up, or paused because the client reads too slowly.',
      by('state', { live, replaying, paused }),
    ),
    gauge('loopwatch_event_channels', 'Distinct filters of live subscriptions.', filters),
    gauge(
      'loopwatch_watched_screens',
      'Sessions with at least one screen subscriber.',
      viewers.length,
    ),
    gauge(
      'loopwatch_screen_viewers',
      'Screen subscriptions.',
      viewers.reduce((sum, number) => sum + number, 0),
    ),
    gauge('loopwatch_attached_terminals', 'Clients attached to terminals.', attachments.attached),
    gauge('loopwatch_event_streams', 'Open Server-Sent Events streams.', readers.streams),
    gauge('loopwatch_long_polls', 'Long-poll requests waiting for an event.', readers.polls),
    counter(
      'loopwatch_events_delivered_total',
      'Events delivered to subscribers since the daemon started, by channel.',
      by('way', { websocket: delivered, sse: readers.streamed, poll: readers.polled }),
    ),
    counter(
      'loopwatch_http_requests_total',
      'Authorized requests, by route and status class.',
      requests.list().map(({ count, method, route, status }) => ({
        labels: { method, route, status },
        value: count,
      })),
    ),
  ];
}

/** Every value of a closed union, with 0 for those not found. */
function countEach(options: readonly string[], found: readonly string[]): Record<string, number> {
  const counts = Object.fromEntries(options.map((option) => [option, 0]));
  for (const each of found) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
}
