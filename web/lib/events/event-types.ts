/** The event types the page offers: by group, in the order of the log's own table. */
import type { EventType } from '$shared/schema/events.ts';

/** A record of all types, so that the compiler reports a missing one. */
const TYPES: Record<EventType, true> = {
  'daemon.started': true,
  'daemon.stopping': true,
  'session.created': true,
  'session.closed': true,
  'session.agent_changed': true,
  'session.input': true,
  'session.interrupted': true,
  'session.owner_changed': true,
  'auto.started': true,
  'auto.signal': true,
  'auto.signal_rejected': true,
  'auto.limits_changed': true,
  'auto.stall_suspected': true,
  'auto.recovery_tried': true,
  'auto.recovered': true,
  'auto.recovery_failed': true,
  'auto.quota_entered': true,
  'auto.quota_left': true,
  'auto.stop_requested': true,
  'auto.stop_escalated': true,
  'auto.restart_scheduled': true,
  'auto.restarted': true,
  'auto.check_started': true,
  'auto.checked': true,
  'auto.sent_back': true,
  'auto.failed': true,
  'auto.ended': true,
  'respawn.state': true,
  'respawn.blocked': true,
  'respawn.paused': true,
  'respawn.configured': true,
  'respawn.step_sent': true,
  'respawn.step_done': true,
  'respawn.check': true,
  'respawn.auto_accepted': true,
  'respawn.cycle_done': true,
  'attention.raised': true,
  'attention.cleared': true,
  'people.invited': true,
  'people.joined': true,
  'people.link_made': true,
  'people.role_changed': true,
  'people.renamed': true,
  'people.removed': true,
  'task.created': true,
  'task.status': true,
  'task.changed': true,
  'task.deleted': true,
  'task.worktree': true,
  'task.interaction': true,
  'task.input_queued': true,
  'task.input_delivered': true,
  'task.criteria': true,
  'task.tests': true,
  'run.created': true,
  'run.phase': true,
  'run.status': true,
  'run.checkpoint': true,
  'run.plan': true,
  'run.check': true,
  'run.review': true,
  'run.interaction': true,
  'run.input_queued': true,
  'run.input_delivered': true,
  'run.worktree': true,
  'run.stopped': true,
  'run.resumed': true,
  'run.done': true,
  'run.merged': true,
  'run.deleted': true,
  'alert.sent': true,
  'alert.failed': true,
};

export const EVENT_TYPE_NAMES = Object.keys(TYPES) as EventType[];

/** Every group by its pattern, with its label. */
export const EVENT_GROUPS = [
  { pattern: 'auto.*', label: 'Loops' },
  { pattern: 'respawn.*', label: 'Respawn' },
  { pattern: 'task.*', label: 'Tasks' },
  { pattern: 'run.*', label: 'Runs' },
  { pattern: 'session.*', label: 'Sessions' },
  { pattern: 'attention.*', label: 'Inbox' },
  { pattern: 'alert.*', label: 'Alerts' },
  { pattern: 'people.*', label: 'People' },
  { pattern: 'daemon.*', label: 'Daemon' },
] as const;

const PATTERNS: readonly string[] = [
  ...EVENT_GROUPS.map(({ pattern }) => pattern),
  ...EVENT_TYPE_NAMES,
];

/** Whether the page can filter by this. */
export function isOffered(pattern: string): boolean {
  return PATTERNS.includes(pattern);
}
