/**
 * Several events of one cause in one delivery: the first is sent at once, what follows within the
 * window of the rule goes together at its end. Pure.
 */
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import { subjectRef } from '../../../shared/schema/events/subject.ts';
import type { DeliveryRow } from './alert-delivery-store.ts';
import type { Match } from '../rules/rule-matcher.ts';
import type { Rule } from '../rules/rule.ts';

const MINUTE_MS = 60_000;
const MAX_SUBJECTS = 20;

/** What the body of several events has in addition to the first. */
export interface Digest {
  events: number;
  /** Of the newest event. */
  last_at: string;
  /** Those its events are about, as `kind:id`, the first of them. */
  subjects: string[];
}

/** What a row is inserted with. */
export type Place = Pick<DeliveryRow, 'cause' | 'collects' | 'windowMs' | 'dueMs'>;

/** The same type and reason, for any subject: a quota that stops twelve loops is one cause. */
export function causeOf({ event: { type }, reason }: Pick<Match, 'event' | 'reason'>): string {
  return `${type}:${reason ?? ''}`;
}

/**
 * Where an event goes: into the row that still collects for its cause, or a row of its own.
 * `last`: the newest delivery of the cause.
 */
export function placeOf(
  cause: string,
  last: Pick<DeliveryRow, 'collects' | 'windowMs'> | null,
  { digestMinutes }: Pick<Rule, 'digestMinutes'>,
  nowMs: number,
): Place | 'join' {
  if (last?.collects === true) return 'join';
  const dueMs = Math.max(nowMs, last?.windowMs ?? 0);
  return { cause, collects: true, dueMs, windowMs: windowFrom({ digestMinutes }, dueMs) };
}

/** When the next delivery of the cause may follow one that was sent at this time. */
export function windowFrom(
  { digestMinutes }: Pick<Rule, 'digestMinutes'>,
  sentMs: number,
): number | null {
  return digestMinutes === null ? null : sentMs + digestMinutes * MINUTE_MS;
}

/** Null for the body of one event. */
export function digestOf(body: string): Digest | null {
  return (JSON.parse(body) as { digest?: Digest }).digest ?? null;
}

/** The body after one more event. Its first event stays as it is, byte for byte. */
export function addToBody(body: string, { at, event: { subject } }: Match): string {
  const first = JSON.parse(body) as { data: Pick<EventRecord, 'subject'>; digest?: Digest };
  const before = first.digest ?? null;
  const subjects = before?.subjects ?? [subjectRef(first.data.subject)];
  const isNew = !subjects.includes(subject) && subjects.length < MAX_SUBJECTS;
  const after: Digest = {
    events: (before?.events ?? 1) + 1,
    last_at: at,
    subjects: isNew ? [...subjects, subject] : subjects,
  };
  const rest = before === null ? '}' : endOf(before);
  return body.slice(0, body.length - rest.length) + endOf(after);
}

function endOf(digest: Digest): string {
  return `,"digest":${JSON.stringify(digest)}}`;
}
