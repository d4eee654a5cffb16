/** Requests that may be sent again: which carry a key, and how it travels. */

export const KEY_HEADER = 'idempotency-key';
/** Of an answer that was given before. */
export const REPLAYED_HEADER = 'idempotency-replayed';

/** Printable ASCII; a list of two headers would contain a comma and a blank, which are allowed. */
const KEY = /^[\x20-\x7e]{1,80}$/;

/**
 * Changes that take no key. What types into a terminal happens at most once and is never kept; a
 * ticket is used up at once; the others identify no person.
 */
const KEYLESS: readonly string[] = [
  'sendInput',
  'interruptSession',
  'resizeSession',
  'createTicket',
  'login',
  'acknowledgeByLink',
  'answerByNotification',
  'receiveHook',
];

export function isIdempotencyKey(text: string): boolean {
  return KEY.test(text);
}

/** Whether a call of that endpoint may carry a key: it changes something, and may be repeated. */
export function takesKey(name: string, method: string): boolean {
  return method !== 'GET' && !KEYLESS.includes(name);
}

/** 128 random bits; `randomUUID` is missing on a page without TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
