/** Whether each alert of a night was acknowledged or escalated in time. Pure. */
import type { AlertIncident } from '../../../shared/schema/alerts/alert-incidents.ts';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import { timeOf } from './spending.ts';

const MINUTE_MS = 60_000;
/** The daemon counts from the start of a step; its event, from which we count, is a moment later. */
const WRITTEN_WITHIN_MS = 1_000;

export interface AlertedNight {
  /** All, closed or not. */
  incidents: readonly AlertIncident[];
  /** All of the night. */
  events: readonly EventRecord[];
  /** Minutes of each step. */
  minutes: readonly number[];
  /** When no daemon ran. */
  gaps: readonly { fromMs: number; toMs: number }[];
  endMs: number;
  /** How far the time of the night moves on its own while a test waits. */
  slackMs: number;
}

/** An item of the inbox that no one heard of, a step that came late, early, twice or not at all. */
export function neglectedAlerts(night: AlertedNight): string[] {
  const raised = night.events.filter(({ type }) => type === 'attention.raised');
  const heard = new Set(night.incidents.map(({ seq }) => seq));
  const unheard = raised.filter(({ seq }) => !heard.has(seq));
  return [
    ...unheard.map(({ seq }) => `no alert about event ${seq}`),
    ...night.incidents.flatMap((incident) => neglectedSteps(incident, night)),
  ];
}

function neglectedSteps(incident: AlertIncident, night: AlertedNight): string[] {
  const { id, acknowledged_at: acknowledgedAt } = incident;
  const endMs = acknowledgedAt === null ? night.endMs : Date.parse(acknowledgedAt);
  const begun = night.events.flatMap(({ type, at, data }) => {
    const isOwn = type === 'alert.escalated' && (data as { incident: string }).incident === id;
    return isOwn ? [{ step: (data as { step: number }).step, atMs: Date.parse(at) }] : [];
  });
  const wrong: string[] = [];
  let sinceMs = Date.parse(incident.opened_at);
  for (const [index, minutes] of night.minutes.entries()) {
    const dueMs = sinceMs + minutes * MINUTE_MS;
    const latestMs = dueMs + MINUTE_MS + night.slackMs + downMs(night, dueMs);
    const own = begun.filter(({ step }) => step === index + 1);
    const about = `step ${index + 1} of ${id}, due at ${timeOf(dueMs)},`;
    const [first] = own;
    if (own.length > 1) wrong.push(`${about} began ${own.length} times`);
    if (first === undefined) {
      if (endMs > latestMs) wrong.push(`${about} never began`);
      break;
    }
    if (first.atMs < dueMs - WRITTEN_WITHIN_MS)
      wrong.push(`${about} began early, at ${timeOf(first.atMs)}`);
    if (first.atMs > latestMs) wrong.push(`${about} began late, at ${timeOf(first.atMs)}`);
    if (first.atMs > endMs) wrong.push(`${about} began after it was acknowledged`);
    sinceMs = first.atMs;
  }
  return wrong;
}

/** How long no daemon ran from that moment on. */
function downMs({ gaps }: AlertedNight, atMs: number): number {
  const gap = gaps.find(({ fromMs, toMs }) => fromMs <= atMs + MINUTE_MS && atMs <= toMs);
  return gap === undefined ? 0 : Math.max(0, gap.toMs - atMs);
}
