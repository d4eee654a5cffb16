/** Web Push: the browsers a person is notified in, and an answer given in a notification. */
import { z } from 'zod';

/** As a browser writes its keys: bytes in base64url without padding. */
const base64url = (bytes: number) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`), {
    message: `must be ${bytes} bytes in base64url`,
  });

/** What `PushManager.subscribe` gives a page, and a name for the list. */
export const SubscribeBrowser = z.strictObject({
  /** Where the browser’s push service takes messages. A capability: never shown again. */
  endpoint: z.string().max(2048),
  keys: z.strictObject({ p256dh: base64url(65), auth: base64url(16) }),
  /** Such as “Chrome on Android”. */
  label: z.string().regex(/^[\x20-\x7e]{1,60}$/, {
    message: 'must be 1 to 60 printable ASCII characters',
  }),
});
export type SubscribeBrowser = z.infer<typeof SubscribeBrowser>;

export const SubscribedBrowser = z.object({
  /** The first 20 hex digits of the SHA-256 of its endpoint, so that a page finds its own. */
  id: z.string(),
  label: z.string(),
  /** The host of its push service. */
  service: z.string(),
  created_at: z.iso.datetime(),
  /** When its push service last took a message. */
  last_sent_at: z.iso.datetime().nullable(),
  /** Why the last attempt failed; null when it did not. */
  last_error: z.string().nullable(),
});
export type SubscribedBrowser = z.infer<typeof SubscribedBrowser>;

export const SubscribedBrowsers = z.object({
  /** Of the daemon, in base64url: the `applicationServerKey` of a subscription. */
  public_key: z.string(),
  /** The caller’s own, oldest first. */
  browsers: z.array(SubscribedBrowser),
});
export type SubscribedBrowsers = z.infer<typeof SubscribedBrowsers>;

export const PushTestResult = z.object({
  ok: z.boolean(),
  /** Of the push service; null without an answer. */
  status: z.int().nullable(),
  error: z.string().nullable(),
  /** The push service no longer has the browser, so it was removed here. */
  removed: z.boolean(),
});
export type PushTestResult = z.infer<typeof PushTestResult>;

/** What a notification can offer for a request of an agent. */
export const PushAnswer = z.enum(['allow', 'deny']);
export type PushAnswer = z.infer<typeof PushAnswer>;

export const AnswerByNotification = z.strictObject({
  /** From the notification: names the browser and the request, signed, valid for a day. */
  ticket: z.string().max(200),
  decision: PushAnswer,
});
