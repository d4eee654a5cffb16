/** What a service accepts as its fields, and text of an agent that stays text in every service. */
import { expect, it } from 'vitest';
import type { Digest } from '../../../server/alerts/deliveries/digest.ts';
import { plainMessage } from '../../../server/alerts/deliveries/plain-message.ts';
import {
  type HttpService,
  serviceRequest,
} from '../../../server/alerts/sending/service-request.ts';
import { AlertTarget } from '../../../shared/schema/alerts/alert-targets.ts';

const MAIL = { kind: 'email', server: 'smtp://a.b:25', from: 'a@b.c', to: 'd@e.f' };

it('AL65 fields that could change a request or a mail are refused', () => {
  const wrong = [
    { kind: 'ntfy', topic: 'a/b' },
    { kind: 'ntfy', topic: 'a\r\nX: y' },
    { kind: 'ntfy', topic: 'a', secret: 'x\r\nX-Evil: 1' },
    { kind: 'ntfy', topic: 'a', secret: 'two words' },
    { kind: 'ntfy', topic: 'a', server: 'https://user:pass@a.b' },
    { kind: 'ntfy', topic: 'a', server: 'https://a.b/?q=' },
    { kind: 'ntfy', topic: 'a', server: 'https://a.b/#x' },
    { kind: 'ntfy', topic: 'a', server: 'file:///etc/passwd' },
    { kind: 'slack', secret: 'javascript:alert(1)' },
    { kind: 'discord', secret: 'http://a b/' },
    { kind: 'telegram', chat: '1', secret: '1:a/../../x' },
    { kind: 'telegram', chat: 'name', secret: '1:a' },
    { kind: 'pushover', user: 'a&b', secret: 'x' },
    { kind: 'matrix', server: 'https://a.b', room: '#alias:a.b', secret: 'x' },
    { kind: 'matrix', server: 'https://a.b', room: '!a\nb:a.b', secret: 'x' },
    { ...MAIL, server: 'smtp://user:pass@a.b:25' },
    { ...MAIL, server: 'smtp://a.b:25/path' },
    { ...MAIL, server: 'http://a.b' },
    { ...MAIL, server: 'smtp://a.b:99999' },
    { ...MAIL, to: 'a@b.c, d@e.f' },
    { ...MAIL, to: 'a@b.c\r\nBcc: d@e.f' },
    { ...MAIL, from: 'Mia <a@b.c>' },
    { ...MAIL, user: 'a\nb' },
    { ...MAIL, user: 'a', secret: 'b\r\nQUIT' },
    { ...MAIL, more: 1 },
  ];
  const accepted = wrong.filter((target) => AlertTarget.safeParse(target).success);
  expect(accepted).toEqual([]);
  expect(AlertTarget.parse(MAIL)).toEqual({ ...MAIL, user: '' });
  expect(AlertTarget.parse({ kind: 'ntfy', topic: 'a' })).toMatchObject({
    server: 'https://ntfy.sh',
  });
});

const EVIL = '@everyone <!channel> **b** [x](http://evil) `c` <https://evil|safe>';

/** An inbox item that an agent words as it likes, alone or with others. */
function message(title: string, digest?: Digest) {
  const data = { id: 'i', reason: 'question', title, answerable: true };
  const subject = { kind: 'session', id: 'web' };
  const at = '2026-01-01T00:00:00.000Z';
  const event = { seq: 1, at, type: 'attention.raised', subject, session: 'web', data };
  const body = JSON.stringify({ type: event.type, timestamp: at, data: event, digest });
  return plainMessage(body, { page: 'https://loop.example', acknowledge: null });
}

it('AL66 what an agent words stays text: no mention, no markup, no link', () => {
  const send = (target: HttpService) =>
    JSON.parse(serviceRequest(target, message(EVIL), 'id').body) as Record<string, unknown>;
  const discord = send({ kind: 'discord', secret: 'http://a/' });
  expect(discord['allowed_mentions']).toEqual({ parse: [] });
  expect(discord['content']).toContain(String.raw`\*\*b\*\* \[x\]\(http://evil\) \`c\` `);
  const slack = send({ kind: 'slack', secret: 'http://a/' });
  expect(slack['text']).not.toMatch(/[<>]/);
  const [, section] = slack['blocks'] as { text: { type: string; text: string } }[];
  expect(section?.text).toMatchObject({ type: 'plain_text' });
  expect(section?.text.text).toContain(EVIL);
  const server = 'http://a';
  expect(send({ kind: 'telegram', server, chat: '1', secret: 'x' })['parse_mode']).toBeUndefined();
  expect(send({ kind: 'matrix', server, room: '!a', secret: 'x' })).toMatchObject({
    msgtype: 'm.text',
    'm.mentions': {},
  });
  expect(send({ kind: 'pushover', server, user: 'u', secret: 'x' })['html']).toBeUndefined();
});

it('AL82 a message of several events says how many, how long and whom', () => {
  const subjects = ['session:web', 'task:fix', 'loop:db', 'loop:api', 'loop:ui', 'run:x'];
  const digest = { events: 9, last_at: '2026-01-01T00:12:00.000Z', subjects };
  const { title, text } = message('Which port?', digest);
  expect(title).toBe('9 × Session web and 5 more: Question');
  expect(text.split('\n')[1]).toBe(
    'And 8 more events within 12 min, also: Task fix, Loop db, Loop api, 2 more',
  );
  const long = message('x'.repeat(5_000), {
    ...digest,
    subjects: subjects.map((ref) => ref + 'y'.repeat(200)),
  });
  expect(long.title.length + long.text.length).toBeLessThan(1_024);
});

it('AL60 a long or hostile title is one line, and the text fits the smallest service', () => {
  const { title, text, link } = message(`a\r\nBcc: x@y.z\u202e${'x'.repeat(5_000)}`);
  expect(title).not.toMatch(/[\r\n\u202e]/);
  expect(title.length).toBeLessThanOrEqual(120);
  expect(text).not.toMatch(/\r|\u202e/);
  expect(text.length).toBeLessThan(800);
  expect(link).toBe('https://loop.example/inbox');
});
