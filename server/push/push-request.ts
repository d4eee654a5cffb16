/** One message for one browser: encrypted for it (RFC 8291), signed by the daemon (RFC 8292). */
import { createHash } from 'node:crypto';
import webPush from 'web-push';
import type { PushRow } from './push-subscription-store.ts';
import type { VapidKeys } from './vapid-keys.ts';

const ENCODING = 'aes128gcm';
/** How long a push service keeps it for a browser that is offline: as long as its answer is valid. */
const KEPT_S = 24 * 60 * 60;
const SIGNATURE_S = 12 * 60 * 60;
const TOPIC_CHARACTERS = 32;

interface Envelope {
  keys: VapidKeys;
  /** Where the operator of a push service can reach someone: an https or mailto URL. */
  contact: string;
  tag: string;
  isUrgent: boolean;
  nowMs: number;
}

export function pushRequest(
  { endpoint, p256dh, auth }: Pick<PushRow, 'endpoint' | 'p256dh' | 'auth'>,
  payload: string,
  { keys, contact, tag, isUrgent, nowMs }: Envelope,
) {
  const { cipherText } = webPush.encrypt(p256dh, auth, payload, ENCODING);
  const { Authorization: authorization } = webPush.getVapidHeaders(
    new URL(endpoint).origin,
    contact,
    keys.publicKey,
    keys.privateKey,
    ENCODING,
    Math.floor(nowMs / 1000) + SIGNATURE_S,
  );
  return {
    method: 'POST' as const,
    url: endpoint,
    headers: {
      authorization,
      'content-type': 'application/octet-stream',
      'content-encoding': ENCODING,
      ttl: String(KEPT_S),
      urgency: isUrgent ? 'high' : 'normal',
      // A browser that was offline gets only the newest of a topic.
      topic: createHash('sha256').update(tag).digest('base64url').slice(0, TOPIC_CHARACTERS),
    },
    body: cipherText,
  };
}
