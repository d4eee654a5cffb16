/** Which events are moments whose snapshot is kept before all others: pure. */
import type { EventType } from '../../../shared/schema/events/events.ts';
import { ScreenMoment } from '../../../shared/schema/past-screen.ts';

const MOMENTS: Partial<Record<EventType, ScreenMoment>> = {
  'session.agent_changed': 'agent',
  'session.closed': 'end',
  'attention.raised': 'attention',
  'auto.signal': 'signal',
  'auto.stall_suspected': 'stall',
  'auto.recovery_tried': 'recovery',
  'auto.recovery_failed': 'recovery',
  'auto.quota_entered': 'quota',
  'auto.restart_scheduled': 'crash',
  'auto.failed': 'crash',
  'auto.restarted': 'restart',
  'auto.ended': 'end',
};

export function momentOf(type: string): ScreenMoment | null {
  return MOMENTS[type as EventType] ?? null;
}

/** The more important of two moments of one snapshot. */
export function keyMoment(
  known: ScreenMoment | null,
  other: ScreenMoment | null,
): ScreenMoment | null {
  if (known === null || other === null) return known ?? other;
  const { options } = ScreenMoment;
  return options.indexOf(other) > options.indexOf(known) ? other : known;
}
