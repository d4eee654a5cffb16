/** The message for a person: what happened, why, what to do, and where. Made from a delivery's body. */
import { capitalized } from '../../../shared/rules/text/capitalized.ts';
import { cut, oneLine } from '../../../shared/rules/text/plain-text.ts';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import { readSubject, type Subject } from '../../../shared/schema/events/subject.ts';
import { nextStep } from '../../../shared/words/attention-text.ts';
import { countText } from '../../../shared/words/count-text.ts';
import { describeEvent } from '../../../shared/words/events/describe-event.ts';
import { REASON_TEXT, timedNextStep, reasonText } from '../../../shared/words/reason-text.ts';
import { type Digest, digestOf } from './digest.ts';

export interface PlainMessage {
  /** One line. */
  title: string;
  /** Without the links. */
  text: string;
  /** The page about it. */
  link: string;
  /** The page that acknowledges it; null when there is nothing to acknowledge. */
  acknowledge: string | null;
  isUrgent: boolean;
}

/** Of the daemon's page. */
export interface Links {
  /** Its address, without a slash at the end. */
  page: string;
  acknowledge: string | null;
}

/** Together below the 1024 characters of the smallest service, Pushover. */
const MAX_TITLE = 120;
const MAX_WHAT = 400;
/** Subjects of a digest by name. */
const MAX_NAMED = 3;
const MAX_MORE = 200;

interface Body {
  type: string;
  data: object;
}

export function plainMessage(body: string, { page, acknowledge }: Links): PlainMessage {
  const { type, data } = JSON.parse(body) as Body;
  const link = (path: string) => ({ link: `${page}${path}`, acknowledge });
  if (type === 'alert.test') {
    const { name } = data as { name: string };
    const text = 'This is a test. Alerts of this rule arrive here.';
    return { title: `Test of “${name}”`, text, ...link('/alerts'), isUrgent: false };
  }
  const event = data as EventRecord;
  const { text: what, tone } = describeEvent(event);
  const reason = reasonOf(event);
  const digest = digestOf(body);
  const about =
    digest === null ? aboutText(event.subject) : `${digest.events} × ${aboutAll(digest)}`;
  const first = oneLine(what, MAX_WHAT);
  const lines = [
    `What happened: ${first}`,
    ...(digest === null ? [] : [moreText(digest, event)]),
    ...(reason === null ? [] : [`Why: ${reason.label}`, `What to do: ${reason.next}`]),
  ];
  return {
    title: cut(`${about}: ${reason === null ? first : reason.label}`, MAX_TITLE),
    text: lines.join('\n'),
    ...link(pathOf(event)),
    isUrgent: tone === 'fail' || type === 'attention.raised',
  };
}

/** The sentences of these name the reason, which is one of their own, or there is nothing to do. */
const WITHOUT_REASON = /^(?:respawn|session)\.|^attention\.cleared$/;

function reasonOf(event: EventRecord): { label: string; next: string } | null {
  const { reason } = event.data as { reason?: unknown };
  if (typeof reason !== 'string' || !(reason in REASON_TEXT)) return null;
  if (WITHOUT_REASON.test(event.type)) return null;
  return { label: reasonText(reason as Reason).label, next: nextOf(event, reason as Reason) };
}

function nextOf({ type, data, subject }: EventRecord, reason: Reason): string {
  if (type === 'attention.raised') return nextStep({ reason, subject });
  const isWork = subject.kind === 'task' || subject.kind === 'run';
  if (!isWork) return reasonText(reason).next;
  const { until } = data as { until?: unknown };
  return typeof until === 'string' ? timedNextStep(reason) : nextStep({ reason, subject });
}

function aboutText({ kind, id }: Subject): string {
  if (kind === 'daemon' || kind === 'host') return 'Loopwatch';
  return `${capitalized(kind)} ${id}`;
}

/** The first by name, the rest as a number. */
function aboutAll({ subjects: [first = '', ...more] }: Digest): string {
  const subject = readSubject(first);
  const name = subject === null ? first : aboutText(subject);
  return more.length === 0 ? name : `${name} and ${more.length} more`;
}

function moreText({ events, last_at, subjects }: Digest, { at }: EventRecord): string {
  const minutes = Math.max(1, Math.ceil((Date.parse(last_at) - Date.parse(at)) / 60_000));
  const others = subjects.slice(1, 1 + MAX_NAMED).flatMap((ref) => readSubject(ref) ?? []);
  const rest = subjects.length - 1 - others.length;
  const names = [...others.map(aboutText), ...(rest > 0 ? [`${rest} more`] : [])];
  const where = names.length === 0 ? '' : `, also: ${names.join(', ')}`;
  const more = countText(events - 1, 'more event');
  return oneLine(`And ${more} within ${minutes} min${where}`, MAX_MORE);
}

function pathOf({ type, subject: { kind, id } }: EventRecord): string {
  if (type === 'attention.raised') return '/inbox';
  switch (kind) {
    case 'session':
    case 'loop':
    case 'respawn':
      return `/sessions/${encodeURIComponent(id)}`;
    case 'task':
    case 'run':
    case 'found':
    case 'module':
      return `/${kind === 'found' ? kind : `${kind}s`}/${encodeURIComponent(id)}`;
    case 'person':
      return '/people';
    case 'alert':
      return '/alerts';
    case 'host':
    case 'daemon':
      return '/checks';
  }
}
