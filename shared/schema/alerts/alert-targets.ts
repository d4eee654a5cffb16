/** Where an alert goes: a webhook, a command, or a service with a ready-made message. */
import { z } from 'zod';
import { PersonName } from '../people/person-name.ts';

const MAX_ARGUMENTS = 64;
const MAX_SECRET = 2048;

const HttpUrl = z.string().max(2048).refine(isHttpUrl, {
  message: 'must be an http or https URL without credentials, spaces or backslashes',
});

/** Where a service is reached; its own paths are appended. */
const Server = HttpUrl.refine((text) => !/[?#]/.test(text), {
  message: 'must be the address of a server, without ? or #',
});

const MailServer = z
  .string()
  .max(300)
  .regex(/^smtps?:\/\/(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/, {
    message: 'must look like smtps://mail.example.org:465 or smtp://mail.example.org:587',
  })
  .refine((text) => URL.canParse(text), { message: 'must be a host and a port' });

/** As in Standard Webhooks: `whsec_`, then 24 to 64 bytes in base64. */
const SigningSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, {
    message: 'must be whsec_ followed by 24 to 64 bytes in base64',
  })
  .refine(isSigningSecret, { message: 'must be whsec_ followed by 24 to 64 bytes in base64' });

/** Sent in headers and URLs, so without spaces and line breaks. */
const Token = z
  .string()
  .max(MAX_SECRET)
  .regex(/^[\x21-\x7e]+$/, { message: 'must be visible ASCII characters without spaces' });

const BotToken = z
  .string()
  .max(MAX_SECRET)
  .regex(/^[A-Za-z0-9:_-]+$/, { message: 'must look like 123456:ABC-def' });

const MailPassword = z
  .string()
  .min(1)
  .max(MAX_SECRET)
  .regex(/^\P{Cc}+$/u, { message: 'must not contain control characters' });

const MailAddress = z
  .string()
  .max(254)
  .regex(/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/, {
    message: 'must be one e-mail address',
  });

const Argv = z
  .array(
    z
      .string()
      .max(4096)
      .regex(/^[^\0]*$/, { message: 'must not contain a NUL character' }),
  )
  .min(1)
  .max(MAX_ARGUMENTS)
  .refine(([program = '']) => program.startsWith('/') || /^[^/]+$/.test(program), {
    message: 'must start with the program: an absolute path, or a name on the PATH',
  });

const Webhook = z.strictObject({
  kind: z.literal('webhook'),
  url: HttpUrl,
  secret: SigningSecret.optional(),
});
const Command = z.strictObject({ kind: z.literal('command'), argv: Argv });

/** The services that get a message for a person. `secret` is never shown again. */
const SERVICES = [
  z.strictObject({
    kind: z.literal('ntfy'),
    server: Server.default('https://ntfy.sh'),
    topic: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, {
      message: 'must be 1 to 64 letters, digits, _ or -',
    }),
    secret: Token.optional(),
  }),
  /** Of Slack and Discord, the whole webhook URL is the secret. */
  z.strictObject({ kind: z.literal('slack'), secret: HttpUrl.optional() }),
  z.strictObject({ kind: z.literal('discord'), secret: HttpUrl.optional() }),
  z.strictObject({
    kind: z.literal('telegram'),
    server: Server.default('https://api.telegram.org'),
    chat: z.string().regex(/^(?:-?\d{1,20}|@\w{1,64})$/, {
      message: 'must be the number of a chat, or @channel',
    }),
    secret: BotToken.optional(),
  }),
  z.strictObject({ kind: z.literal('gotify'), server: Server, secret: Token.optional() }),
  z.strictObject({
    kind: z.literal('pushover'),
    server: Server.default('https://api.pushover.net'),
    user: z.string().regex(/^[A-Za-z0-9]{1,64}$/, {
      message: 'must be the key of a user or group: letters and digits',
    }),
    secret: Token.optional(),
  }),
  z.strictObject({
    kind: z.literal('matrix'),
    server: Server,
    room: z
      .string()
      .max(255)
      .regex(/^![\x21-\x7e]+$/, { message: 'must be the id of a room, such as !abc:example.org' }),
    secret: Token.optional(),
  }),
  z.strictObject({
    kind: z.literal('email'),
    server: MailServer,
    /** Empty: without a login. */
    user: z
      .string()
      .max(254)
      .regex(/^\P{Cc}*$/u, { message: 'must not contain control characters' })
      .default(''),
    from: MailAddress,
    to: MailAddress,
    secret: MailPassword.optional(),
  }),
  z.strictObject({
    kind: z.literal('push'),
    /** Everyone with at least a role, or the name of a member; no member has the name of a role. */
    to: PersonName.default('operator'),
  }),
] as const;

/** As entered. An omitted secret is generated for a webhook, or kept if there is one. */
export const AlertTarget = z.discriminatedUnion('kind', [Webhook, Command, ...SERVICES]);
export type AlertTarget = z.infer<typeof AlertTarget>;

export type ServiceTarget = Exclude<AlertTarget, { kind: 'webhook' | 'command' }>;
export type ServiceKind = ServiceTarget['kind'];

const shown = z.string();
const has_secret = z.boolean();

/** As shown. `server` of Slack and Discord is the origin of the webhook. */
export const AlertTargetView = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('webhook'), url: shown, has_secret: z.literal(true) }),
  z.object({ kind: z.literal('command'), argv: z.array(z.string()) }),
  z.object({ kind: z.literal('ntfy'), server: shown, topic: shown, has_secret }),
  z.object({ kind: z.enum(['slack', 'discord']), server: shown, has_secret }),
  z.object({ kind: z.literal('telegram'), server: shown, chat: shown, has_secret }),
  z.object({ kind: z.literal('gotify'), server: shown, has_secret }),
  z.object({ kind: z.literal('pushover'), server: shown, user: shown, has_secret }),
  z.object({ kind: z.literal('matrix'), server: shown, room: shown, has_secret }),
  z.object({
    kind: z.literal('email'),
    server: shown,
    user: shown,
    from: shown,
    to: shown,
    has_secret,
  }),
  z.object({ kind: z.literal('push'), to: shown }),
]);
export type AlertTargetView = z.infer<typeof AlertTargetView>;

/** What a target would receive for one event, with `…` in place of its secret. */
export const AlertPreview = z.object({
  kind: z.string(),
  /** Of the newest event the rule selects; null for a test, when there is none. */
  seq: z.int().nullable(),
  type: z.string(),
  /** For a person; null for a webhook and a command, which get JSON. */
  title: z.string().nullable(),
  text: z.string().nullable(),
  /** Method and URL, addresses of a mail, or the command. */
  address: z.string(),
  body: z.string(),
});
export type AlertPreview = z.infer<typeof AlertPreview>;

/** URL parsers drop or rewrite blanks, control characters and backslashes: the target would differ. */
function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\p{C}\\]+$/iu.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username + password === '';
}

function isSigningSecret(text: string): boolean {
  try {
    const { length } = atob(text.slice('whsec_'.length));
    return length >= 24 && length <= 64;
  } catch {
    return false;
  }
}
