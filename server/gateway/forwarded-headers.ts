/** What of a request and its answer travels between two hosts; everything else stays. */
import { KEY_HEADER, REPLAYED_HEADER } from '../../shared/rules/idempotency.ts';

type Headers = readonly (readonly [name: string, value: string])[];

const OF_REQUESTS = ['authorization', 'content-type', 'accept', 'last-event-id', KEY_HEADER];
const OF_SOCKETS = ['authorization', 'sec-websocket-protocol'];
const OF_ANSWERS = [
  'content-type',
  'content-disposition',
  'cache-control',
  'retry-after',
  'x-accel-buffering',
  REPLAYED_HEADER,
];
/** What no browser takes for a page or a script. */
const MEDIA_TYPES = /^(application\/(json|x-asciicast)|text\/(plain|csv|event-stream))\s*(;|$)/i;

export function requestHeaders(headers: Headers): [string, string][] {
  return among(headers, OF_REQUESTS);
}

export function socketHeaders(headers: Headers): [string, string][] {
  return among(headers, OF_SOCKETS);
}

/**
 * The answer of another host is shown below the address of this one: nothing in it may become a
 * page of ours.
 */
export function answerHeaders(headers: Headers): [string, string][] {
  const kept = among(headers, OF_ANSWERS).filter(
    ([name, value]) => name !== 'content-type' || MEDIA_TYPES.test(value),
  );
  const isTyped = kept.some(([name]) => name === 'content-type');
  return [
    ...kept,
    ...(isTyped ? [] : [['content-type', 'application/octet-stream'] as [string, string]]),
    ['x-content-type-options', 'nosniff'],
    ['content-security-policy', "default-src 'none'; sandbox"],
  ];
}

function among(headers: Headers, names: readonly string[]): [string, string][] {
  return headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name, value]) => names.includes(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value));
}
