import type { EventType } from '$shared/schema/events/events.ts';

/** A coarse kind of event, for filtering. */
export type TimelineKind =
  'loop' | 'respawn' | 'agent' | 'recovery' | 'attention' | 'input' | 'session';

export const TIMELINE_KINDS: readonly { value: TimelineKind; label: string }[] = [
  { value: 'loop', label: 'Loop' },
  { value: 'respawn', label: 'Respawn' },
  { value: 'agent', label: 'Agent' },
  { value: 'recovery', label: 'Recovery' },
  { value: 'attention', label: 'Attention' },
  { value: 'input', label: 'Input' },
  { value: 'session', label: 'Session' },
];

const KIND: Partial<Record<EventType, TimelineKind>> = {
  'session.agent_changed': 'agent',
  'session.interrupted': 'input',
  'session.input': 'input',
  'auto.stall_suspected': 'recovery',
  'auto.recovery_tried': 'recovery',
  'auto.recovered': 'recovery',
  'auto.recovery_failed': 'recovery',
  'auto.quota_entered': 'recovery',
  'auto.quota_left': 'recovery',
  'auto.restart_scheduled': 'recovery',
  'auto.restarted': 'recovery',
};

/** Types of a newer daemon are classified by their first word. */
export function kindOf(type: EventType): TimelineKind {
  const known = KIND[type];
  if (known !== undefined) return known;
  if (type.startsWith('auto.')) return 'loop';
  if (type.startsWith('respawn.')) return 'respawn';
  return type.startsWith('attention.') ? 'attention' : 'session';
}
