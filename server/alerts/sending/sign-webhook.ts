/** Standard Webhooks (https://www.standardwebhooks.com): three headers and a shared secret. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const SECRET_BYTES = 32;

/** `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** `nowMs`: the time of this attempt. */
export function signWebhook(
  secret: string,
  { id, body }: { id: string; body: string },
  nowMs: number,
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(nowMs), body),
  };
}
