/** The fields of each service that alerts send to: for the form of the page and the options of the shell. */
import type { ServiceKind } from '../schema/alerts/alert-targets.ts';

export interface TargetField {
  key: string;
  label: string;
  hint: string;
  /** Filled in; empty: none. */
  initial: string;
  isOptional: boolean;
}

interface TargetForm {
  label: string;
  fields: readonly TargetField[];
  /** Null: it has none. */
  secret: { label: string; hint: string; isOptional: boolean } | null;
}

/** A field that must be filled in, unless `initial` does. */
function field(key: string, label: string, hint: string, initial = ''): TargetField {
  return { key, label, hint, initial, isOptional: false };
}

export const TARGET_FORMS: Record<ServiceKind, TargetForm> = {
  ntfy: {
    label: 'ntfy',
    fields: [
      field('server', 'Server', 'ntfy.sh or your own server.', 'https://ntfy.sh'),
      field('topic', 'Topic', 'Anyone who knows the topic of a public server can read it.'),
    ],
    secret: { label: 'Access token', hint: 'Only for a protected topic.', isOptional: true },
  },
  slack: {
    label: 'Slack',
    fields: [],
    secret: {
      label: 'Webhook URL',
      hint: 'From an incoming webhook of your Slack app. Kept as a secret.',
      isOptional: false,
    },
  },
  discord: {
    label: 'Discord',
    fields: [],
    secret: {
      label: 'Webhook URL',
      hint: 'Channel settings, Integrations, Webhooks. Kept as a secret.',
      isOptional: false,
    },
  },
  telegram: {
    label: 'Telegram',
    fields: [
      field('server', 'Server', 'The Bot API.', 'https://api.telegram.org'),
      field('chat', 'Chat', 'The number of a chat the bot is in, or @channel.'),
    ],
    secret: { label: 'Bot token', hint: 'From @BotFather.', isOptional: false },
  },
  gotify: {
    label: 'Gotify',
    fields: [field('server', 'Server', 'The address of your Gotify server.')],
    secret: { label: 'Application token', hint: 'Of an application in Gotify.', isOptional: false },
  },
  pushover: {
    label: 'Pushover',
    fields: [
      field('server', 'Server', 'The Pushover API.', 'https://api.pushover.net'),
      field('user', 'User key', 'Of a user or a group.'),
    ],
    secret: { label: 'API token', hint: 'Of your Pushover application.', isOptional: false },
  },
  matrix: {
    label: 'Matrix',
    fields: [
      field('server', 'Homeserver', 'For example https://matrix.example.org.'),
      field('room', 'Room', 'The id of a room the account has joined: !abc:example.org.'),
    ],
    secret: { label: 'Access token', hint: 'Of the account that sends.', isOptional: false },
  },
  email: {
    label: 'E-mail',
    fields: [
      field('server', 'Mail server', 'smtps://mail.example.org:465, or smtp://…:587 for STARTTLS.'),
      { ...field('user', 'User', 'Empty = without a login.'), isOptional: true },
      field('from', 'From', 'The address it is sent from.'),
      field('to', 'To', 'One address.'),
    ],
    secret: { label: 'Password', hint: 'Sent only over TLS.', isOptional: true },
  },
  push: {
    label: 'Web Push',
    fields: [
      field(
        'to',
        'To',
        'viewer, operator or admin and above, or the name of a member.',
        'operator',
      ),
    ],
    secret: null,
  },
};

export const SERVICE_KINDS = Object.keys(TARGET_FORMS) as ServiceKind[];
