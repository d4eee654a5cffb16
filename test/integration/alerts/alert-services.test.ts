/** Each service gets its message from a real queue, over a real port of this machine. */
import { expect, it } from 'vitest';
import type { AlertTarget } from '../../../shared/schema/alerts/alert-targets.ts';
import { AlertHome, loopFailed, PAGE } from '../../support/alerts/alert-home.ts';
import { SmtpSink } from '../../support/alerts/smtp-sink.ts';
import { WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';

const SECRET = 'tk_verysecret';
const TITLE = 'Loop web: Crashed too often';
const LINK = `${PAGE}/sessions/web`;

function targets(server: string): AlertTarget[] {
  return [
    { kind: 'ntfy', server, topic: 'night', secret: SECRET },
    { kind: 'slack', secret: `${server}/services/${SECRET}` },
    { kind: 'discord', secret: `${server}/api/webhooks/1/${SECRET}` },
    { kind: 'telegram', server, chat: '-100', secret: `1:${SECRET}` },
    { kind: 'gotify', server: `${server}/gotify/`, secret: SECRET },
    { kind: 'pushover', server, user: 'u1', secret: SECRET },
    { kind: 'matrix', server, room: '!abc:example.org', secret: SECRET },
  ];
}

it('AL60 each service gets one request with what happened, why, what to do and a link', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(200));
  const server = `http://127.0.0.1:${receiver.port}`;
  const rules = targets(server).map((target) => home.rule(target, { types: ['auto.failed'] }));
  home.emit(loopFailed('web'));
  await home.attempted(rules.length);
  expect(home.deliveries().map(({ state }) => state)).toEqual(rules.map(() => 'sent'));
  const got = new Map(receiver.got.map((each) => [each.path, each]));
  const matrixId = home.deliveries(rules[6])[0]?.id;
  const room = '/_matrix/client/v3/rooms/!abc%3Aexample.org/send/m.room.message/';
  expect([...got.keys()].sort()).toEqual(
    [
      '/',
      `/services/${SECRET}`,
      `/api/webhooks/1/${SECRET}`,
      `/bot1:${SECRET}/sendMessage`,
      '/gotify/message',
      '/1/messages.json',
      `${room}${matrixId}`,
    ].sort(),
  );
  for (const { body } of receiver.got) {
    const said = body.replaceAll('\\\\', '');
    for (const part of [TITLE, 'What happened: ', 'Check the last screen', LINK]) {
      expect(said).toContain(part);
    }
  }
  expect(JSON.parse(got.get('/')?.body ?? '')).toMatchObject({ topic: 'night', title: TITLE });
  expect(got.get('/')?.headers.authorization).toBe(`Bearer ${SECRET}`);
  expect(got.get('/gotify/message')?.headers['x-gotify-key']).toBe(SECRET);
  expect(JSON.parse(got.get('/1/messages.json')?.body ?? '')).toMatchObject({
    token: SECRET,
    user: 'u1',
    priority: 1,
    url: LINK,
  });
  expect(got.get(`${room}${matrixId}`)?.method).toBe('PUT');
});

it('AL61 the secret of a service is in no answer, event, log or error', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open((response, { path, body }) => {
    response.writeHead(403).end(`${path} ${body}`);
  });
  const server = `http://127.0.0.1:${receiver.port}`;
  const created = targets(server).map((target) =>
    home.alerts.create({ ...BLANK, types: ['auto.failed'], target }),
  );
  home.emit(loopFailed('web'));
  await home.attempted(created.length);
  const tests = await Promise.all(created.map(async ({ id }) => home.alerts.test(id)));
  const shown = JSON.stringify([
    created,
    home.alerts.list('admin'),
    home.alerts.list('viewer'),
    home.deliveries(),
    home.alertEvents(),
    created.map(({ id }) => home.alerts.preview(id)),
    tests.map(({ error }) => error),
    home.errors,
  ]);
  expect(shown).not.toContain(SECRET);
  // The answer of a receiver may quote a request, but never our secret.
  expect(tests.map(({ output }) => output?.includes(SECRET))).toEqual(tests.map(() => false));
});

it('AL61 a viewer sees only the server of a service', async () => {
  await using home = new AlertHome();
  home.rule({ kind: 'ntfy', server: 'https://ntfy.example/own', topic: 'hidden-topic' });
  home.rule({
    kind: 'email',
    server: 'smtp://mail.example:25',
    user: '',
    from: 'a@b.example',
    to: 'hidden@b.example',
  });
  const seen = home.alerts.list('viewer').map(({ target }) => target);
  expect(seen).toMatchObject([
    { server: 'https://ntfy.example/…', topic: '…', has_secret: false },
    { server: 'smtp://mail.example:25/…', to: '…', from: '…', has_secret: false },
  ]);
});

it('AL62 a kept secret goes to no other server, and a service that needs one is refused without', async () => {
  await using home = new AlertHome();
  const target = { kind: 'gotify', server: 'http://127.0.0.1:9', secret: SECRET } as const;
  const id = home.rule(target);
  const change = (server: string) =>
    home.alerts.change(id, { target: { kind: 'gotify', server } }).target;
  expect(change(target.server)).toMatchObject({ has_secret: true });
  expect(() => change('http://127.0.0.1:8')).toThrow(
    'target.secret: Application token is required',
  );
  expect(() => home.rule({ kind: 'slack' })).toThrow('target.secret: Webhook URL is required');
});

it('AL63 a mail has one recipient, a plain text and the same id for every attempt', async () => {
  await using home = new AlertHome();
  await using sink = await SmtpSink.open();
  sink.refusesRecipient = '451 try later';
  const rule = home.rule(
    {
      kind: 'email',
      server: sink.url,
      user: 'mia',
      secret: 'pass word',
      from: 'loop@a.example',
      to: 'mia@b.example',
    },
    { types: ['auto.failed'] },
  );
  home.emit(loopFailed('web'));
  await home.attempted(1);
  const [first] = home.deliveries(rule);
  expect(first).toMatchObject({ status: 451, error: 'the mail server answered 451' });
  sink.refusesRecipient = null;
  home.clock.advance(5_000);
  await home.attempted(2);
  expect(home.deliveries(rule)[0]).toMatchObject({ state: 'sent', status: 250 });
  const [mail] = sink.mails;
  expect(mail).toMatchObject({ from: 'loop@a.example', to: ['mia@b.example'] });
  expect(mail?.login).toBe('mia\0pass word');
  expect(mail?.data).toContain(`Subject: ${TITLE}\n`);
  expect(mail?.data).toContain(`Message-ID: <${first?.id}@loopwatch>`);
  expect(mail?.data).toContain(`\n${LINK}`);
});

it('AL63 a login that is refused says so without the password', async () => {
  await using home = new AlertHome();
  await using sink = await SmtpSink.open();
  sink.refusesLogin = '535 no such password: hunter2';
  const mail = { from: 'a@b.example', to: 'c@d.example', user: 'mia', secret: 'hunter2' };
  const rule = home.rule({ kind: 'email', server: sink.url, ...mail });
  const { ok, status, error, output } = await home.alerts.test(rule);
  expect({ ok, status, error }).toEqual({
    ok: false,
    status: 535,
    error: 'the mail server answered 535',
  });
  expect(output).toContain('no such password: …');
  expect(sink.mails).toEqual([]);
});

it('AL64 a preview is the message that arrives', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(200));
  const server = `http://127.0.0.1:${receiver.port}`;
  const rule = home.rule({ kind: 'ntfy', server, topic: 'night' }, { types: ['auto.failed'] });
  expect(home.alerts.preview(rule)).toMatchObject({ seq: null, title: 'Test of “all”' });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  const preview = home.alerts.preview(rule);
  expect(preview).toMatchObject({ seq: 1, type: 'auto.failed', title: TITLE });
  expect(preview.address).toBe(`POST ${server}`);
  expect(preview.body).toBe(receiver.got[0]?.body);
});

const BLANK = {
  name: 'all',
  enabled: true,
  sessions: null,
  tasks: null,
  subjects: null,
  reasons: null,
  quiet_hours: null,
  digest_minutes: null,
  steps: [],
};
