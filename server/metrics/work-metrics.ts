/** What is under supervision, what waits, and what became of it. */
import { LoopStatus, Session } from '../../shared/model.ts';
import { TaskStatus } from '../../shared/tasks/task-status.ts';
import { by, counter, type Family, gauge } from './family.ts';
import type { MetricSources } from './metric-sources.ts';

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
  ];
}

/** Gives for each of a closed union how often it was found, 0 included. */
function countEach(options: readonly string[], found: readonly string[]): Record<string, number> {
  const counts = Object.fromEntries(options.map((option) => [option, 0]));
  for (const each of found) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
}
