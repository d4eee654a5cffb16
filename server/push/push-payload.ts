/** What a browser is sent: the plain message, where it leads, and what it can answer. Pure. */
import { cutText } from '../../shared/rules/text/cut-text.ts';
import type { PushPayload } from '../../shared/rules/push-payload.ts';
import { cut } from '../../shared/rules/text/plain-text.ts';
import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import type { EventRecord } from '../../shared/schema/events/events.ts';
import type { PushAnswer } from '../../shared/schema/alerts/push.ts';
import { subjectRef } from '../../shared/schema/events/subject.ts';
import type { Digest } from '../alerts/deliveries/digest.ts';
import type { PlainMessage } from '../alerts/deliveries/plain-message.ts';

/** A push service takes 4096 bytes, of which encryption needs 103. */
const MAX_BYTES = 3_500;
/** Systems show a few lines; longer requests are read on the page. */
const MAX_REQUEST = 300;

/** A request of an agent that takes allow or deny. */
export interface Ask {
  item: string;
  /** Its own lines. */
  text: string;
  answers: PushAnswer[];
}

/** What a delivery is about, as far as a browser needs it. */
export interface About {
  /** Notifications with the same tag replace each other. */
  tag: string;
  /** Of the inbox. */
  item: string | null;
  atMs: number;
}

/** `body`: of a delivery. */
export function aboutOf(body: string): About {
  const { type, timestamp, data, digest } = JSON.parse(body) as {
    type: string;
    timestamp: string;
    data: Partial<EventRecord>;
    digest?: Digest;
  };
  const atMs = Date.parse(timestamp);
  // Several events are about no single item that could be answered.
  if (data.subject === undefined || digest !== undefined) return { tag: type, item: null, atMs };
  const { id } = (data.data ?? {}) as { id?: unknown };
  const item = type.startsWith('attention.') && typeof id === 'string' ? id : null;
  return { tag: item === null ? subjectRef(data.subject) : `attention:${item}`, item, atMs };
}

/**
 * Null for what a notification cannot answer: questions, and what is answered elsewhere. Nothing is
 * allowed that was not shown whole.
 */
export function askOf(item: AttentionItem | null): Ask | null {
  if (item?.request == null || item.cleared_at !== null) return null;
  if (item.request.questions.length > 0) return null;
  const text = item.detail ?? item.title;
  const isWhole = text.length <= MAX_REQUEST;
  return {
    item: item.id,
    text: cut(text, MAX_REQUEST),
    answers: isWhole ? ['allow', 'deny'] : ['deny'],
  };
}

/** JSON. `ticket` is null for a browser whose person may not answer. */
export function encodePayload(
  { title, text, link, acknowledge }: PlainMessage,
  { tag, item, atMs }: About,
  { ask, ticket, open }: { ask: Ask | null; ticket: string | null; open: number },
): string {
  const mayAnswer = ask !== null && ticket !== null;
  const payload: PushPayload = {
    title,
    text: mayAnswer ? ask.text : text,
    path: item === null ? pathOf(link) : `/inbox?item=${item}`,
    tag,
    at: atMs,
    open,
    acknowledge: acknowledge === null ? null : pathOf(acknowledge),
    answers: mayAnswer ? ask.answers : [],
    ticket: mayAnswer ? ticket : null,
  };
  const spare = MAX_BYTES - Buffer.byteLength(JSON.stringify({ ...payload, text: '' }));
  const encoded = JSON.stringify(payload);
  if (Buffer.byteLength(encoded) <= MAX_BYTES) return encoded;
  // A character of JSON has at most six bytes, `\u0001`.
  return JSON.stringify({ ...payload, text: cutText(payload.text, Math.floor(spare / 6)) });
}

/** The worker opens it on its own origin, by which the person knows the daemon. */
function pathOf(link: string): string {
  const { pathname, search, hash } = new URL(link);
  return pathname + search + hash;
}
