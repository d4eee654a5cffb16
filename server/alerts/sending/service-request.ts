/**
 * The request by which each service gets a message. Text that an agent chose stays text: no markup,
 * no mentions, no headers.
 */
import type { PlainMessage } from '../deliveries/plain-message.ts';
import type { Service } from '../rules/rule.ts';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** One that is reached over HTTP. */
export type HttpService = Exclude<Service, { kind: 'email' | 'push' }>;

/** `id` is that of the delivery: the same for every attempt. */
export function serviceRequest(
  target: HttpService,
  message: PlainMessage,
  id: string,
): HttpRequest {
  const { title, text, link, acknowledge, isUrgent } = message;
  const { secret } = target;
  const whole = messageText(message);
  switch (target.kind) {
    case 'ntfy':
      return json(target.server, secret === '' ? {} : bearer(secret), {
        topic: target.topic,
        title,
        message: text,
        click: link,
        priority: isUrgent ? 4 : 3,
        ...(acknowledge === null
          ? {}
          : { actions: [{ action: 'view', label: 'Acknowledge', url: acknowledge }] }),
      });
    case 'slack': {
      const links = [
        `<${link}|Open in Loopwatch>`,
        ...(acknowledge === null ? [] : [`<${acknowledge}|Acknowledge>`]),
      ];
      const plain = (value: string) => ({ type: 'plain_text', text: value, emoji: false });
      return json(
        secret,
        {},
        {
          // For the notification, in which Slack reads these three as markup.
          text: title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
          blocks: [
            { type: 'header', text: plain(title) },
            { type: 'section', text: plain(text) },
            { type: 'section', text: { type: 'mrkdwn', text: links.join(' · ') } },
          ],
        },
      );
    }
    case 'discord': {
      const lines = [`**${escaped(title)}**`, escaped(text), `<${link}>`];
      const more = acknowledge === null ? [] : [`Acknowledge: <${acknowledge}>`];
      const content = [...lines, ...more].join('\n');
      return json(secret, {}, { content, allowed_mentions: { parse: [] } });
    }
    case 'telegram':
      return json(
        `${rootOf(target)}/bot${secret}/sendMessage`,
        {},
        {
          chat_id: target.chat,
          text: `${title}\n\n${whole}`,
          link_preview_options: { is_disabled: true },
        },
      );
    case 'gotify':
      return json(
        `${rootOf(target)}/message`,
        { 'x-gotify-key': secret },
        {
          title,
          message: whole,
          priority: isUrgent ? 8 : 5,
          extras: { 'client::notification': { click: { url: link } } },
        },
      );
    case 'pushover':
      return json(
        `${rootOf(target)}/1/messages.json`,
        {},
        {
          token: secret,
          user: target.user,
          title,
          message: acknowledge === null ? text : `${text}\nAcknowledge: ${acknowledge}`,
          url: link,
          url_title: 'Open in Loopwatch',
          priority: isUrgent ? 1 : 0,
        },
      );
    case 'matrix': {
      const room = encodeURIComponent(target.room);
      const path = `/_matrix/client/v3/rooms/${room}/send/m.room.message/${id}`;
      const content = { msgtype: 'm.text', body: `${title}\n\n${whole}`, 'm.mentions': {} };
      return { ...json(rootOf(target) + path, bearer(secret), content), method: 'PUT' };
    }
  }
}

/** With the links, for services that have no place of their own for them. */
export function messageText({ text, link, acknowledge }: PlainMessage): string {
  return [text, '', link, ...(acknowledge === null ? [] : [`Acknowledge: ${acknowledge}`])].join(
    '\n',
  );
}

function json(url: string, headers: Record<string, string>, body: object): HttpRequest {
  const all = { 'content-type': 'application/json', ...headers };
  return { method: 'POST', url, headers: all, body: JSON.stringify(body) };
}

function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}

function rootOf({ server }: { server: string }): string {
  return server.replace(/\/+$/, '');
}

/** As Discord shows it literally. */
function escaped(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]()-]/g, '\\$&');
}
