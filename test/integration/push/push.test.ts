/** Web Push from a daemon to a push service of the tree: who gets what, and who may answer. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AlertDelivery } from '../../../shared/schema/alerts/alerts.ts';
import type { SubscribedBrowser } from '../../../shared/schema/alerts/push.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { join as joinAs } from '../../support/daemon/invite-person.ts';
import { askPerson, BASH_REQUEST } from '../../support/agents/need-person.ts';
import { type PushBrowser, PushService, senderOf } from '../../support/alerts/push-service.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

async function subscribe(api: ApiClient, browser: PushBrowser, label: string): Promise<string> {
  const { status, body } = await api.send(
    'POST',
    '/api/push/subscriptions',
    browser.subscription(label),
  );
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body['id']);
}

async function browsersOf(api: ApiClient): Promise<SubscribedBrowser[]> {
  return (await api.get('/api/push/subscriptions')).body['browsers'] as SubscribedBrowser[];
}

async function addRule(api: ApiClient, to: string, more: object = {}): Promise<string> {
  const target = { kind: 'push', to };
  const body = { name: to, types: ['attention.raised'], target, ...more };
  return String((await api.send('POST', '/api/alerts', body)).body['id']);
}

async function settled(api: ApiClient, rule: string): Promise<AlertDelivery> {
  return until('a settled attempt', async () => {
    const { body } = await api.get(`/api/alerts/deliveries?rule=${rule}`);
    return (body['deliveries'] as AlertDelivery[]).find(({ attempts }) => attempts > 0);
  });
}

function worldOf(service: PushService): World {
  return new World({ LOOPWATCH_PUSH_SERVICES: service.host });
}

it('WP2 WP3 each person has their own browsers, at known push services only', async () => {
  await using service = await PushService.open();
  await using world = worldOf(service);
  const { api } = await world.start();
  const { api: mia } = await joinAs(api, 'Mia', 'viewer');
  const phone = service.browser('phone');
  const id = await subscribe(mia, phone, 'Chrome on Android');
  expect(await browsersOf(api)).toEqual([]);
  expect(await browsersOf(mia)).toMatchObject([
    { id, label: 'Chrome on Android', service: service.host, last_sent_at: null, last_error: null },
  ]);
  expect(JSON.stringify((await mia.get('/api/push/subscriptions')).body)).not.toContain(
    '/push/phone',
  );
  const path = `/api/push/subscriptions/${id}`;
  expect(refusal(await api.send('DELETE', path))).toBe('404 browser_unknown');
  expect(refusal(await api.send('POST', `${path}/test`))).toBe('404 browser_unknown');
  const given = phone.subscription('Other');
  const refused = async (change: object) => {
    const answer = await mia.send('POST', '/api/push/subscriptions', { ...given, ...change });
    return refusal(answer);
  };
  expect(await refused({ endpoint: 'https://evil.example/x' })).toBe('400 invalid_body');
  expect(await refused({ endpoint: 'http://127.0.0.1:9/x' })).toBe('400 invalid_body');
  const offCurve = Buffer.alloc(65, 4).toString('base64url');
  expect(await refused({ keys: { ...given.keys, p256dh: offCurve } })).toBe('400 invalid_body');
  expect(await refused({ label: 'two\nlines' })).toBe('400 invalid_body');
  // The same browser once, with whom it is logged in as now.
  await subscribe(mia, phone, 'Renamed');
  expect((await browsersOf(mia)).map(({ label }) => label)).toEqual(['Renamed']);
  await subscribe(api, phone, 'Shared');
  expect(await browsersOf(mia)).toEqual([]);
  expect((await api.send('DELETE', path)).status).toBe(200);
  expect(await browsersOf(api)).toEqual([]);
  for (let n = 0; n < 20; n += 1) await subscribe(mia, service.browser(`b${n}`), `Browser ${n}`);
  expect(await refused({})).toBe('409 too_many_browsers');
  expect(service.got).toEqual([]);
});

it('WP1 WP4 WP5 a rule reaches the browsers of a role, signed with the key of the daemon', async () => {
  await using service = await PushService.open();
  await using world = worldOf(service);
  const { api } = await world.start();
  const { api: mia } = await joinAs(api, 'Mia', 'operator');
  const { api: noor } = await joinAs(api, 'Noor', 'viewer');
  const [laptop, phone, tablet] = ['laptop', 'phone', 'tablet'].map((name) =>
    service.browser(name),
  );
  if (!laptop || !phone || !tablet) throw new Error('three browsers');
  await subscribe(api, laptop, 'Firefox on Linux');
  await subscribe(mia, phone, 'Chrome on Android');
  await subscribe(noor, tablet, 'Safari on iPad');
  const operators = await addRule(api, 'operator');
  const one = await addRule(api, 'Noor');
  const { id: item } = await askPerson(world, api, 'web', BASH_REQUEST);
  const delivery = await settled(api, operators);
  expect(delivery).toMatchObject({ state: 'sent', status: 201, error: null });
  expect(delivery.output?.split('\n').sort()).toEqual([
    'Chrome on Android of Mia: sent',
    'Firefox on Linux of admin: sent',
  ]);
  expect(await settled(api, one)).toMatchObject({ output: 'Safari on iPad of Noor: sent' });
  const sent = new Map(service.got.map((each) => [each.path, each]));
  expect([...sent.keys()].sort()).toEqual(['/push/laptop', '/push/phone', '/push/tablet']);
  const got = sent.get(phone.path);
  if (got === undefined) throw new Error('nothing for the phone');
  const { public_key: key } = (await mia.get('/api/push/subscriptions')).body;
  const { claims, key: signer } = senderOf(got);
  expect([claims.aud, signer]).toEqual([`http://${service.host}`, key]);
  expect(got.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
  expect(phone.read(got)).toMatchObject({
    title: 'Session web: Permission',
    text: `command: ${String(BASH_REQUEST.input['command'])}\ndescription: Run a stub command`,
    path: `/inbox?item=${item}`,
    tag: `attention:${item}`,
    open: 1,
    answers: ['allow', 'deny'],
  });
  const viewed = sent.get(tablet.path);
  if (viewed === undefined) throw new Error('nothing for the tablet');
  // A viewer may not answer.
  expect(tablet.read(viewed)).toMatchObject({ answers: [], ticket: null });
  expect((await browsersOf(mia))[0]?.last_sent_at).not.toBeNull();
  const file = join(world.home, 'push-key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8').trim()).not.toBe(key);
});

it('WP10 a browser that its push service no longer has is removed, and the delivery says so', async () => {
  await using service = await PushService.open();
  await using world = worldOf(service);
  const { api } = await world.start();
  await subscribe(api, service.browser('old'), 'Old phone');
  const kept = await subscribe(api, service.browser('new'), 'New phone');
  service.statusOf.set('/push/old', 410);
  const rule = await addRule(api, 'admin');
  await askPerson(world, api, 'web', BASH_REQUEST);
  const delivery = await settled(api, rule);
  expect(delivery).toMatchObject({ state: 'sent', status: 201 });
  expect(delivery.output).toBe('Old phone of admin: HTTP 410, removed\nNew phone of admin: sent');
  expect((await browsersOf(api)).map(({ id }) => id)).toEqual([kept]);
  service.status = 404;
  const { body } = await api.send('POST', `/api/push/subscriptions/${kept}/test`);
  expect(body).toEqual({ ok: false, status: 404, error: 'HTTP 404', removed: true });
  expect(await browsersOf(api)).toEqual([]);
  const { body: rules } = await api.get('/api/alerts');
  expect(rules['alerts']).toMatchObject([{ id: rule, enabled: true }]);
});

it('WP10 WP11 with no browser that took it a delivery has failed and is retried', async () => {
  await using service = await PushService.open();
  await using world = worldOf(service);
  const { api } = await world.start();
  service.status = 503;
  const id = await subscribe(api, service.browser('phone'), 'Phone');
  const rule = await addRule(api, 'admin');
  const none = await addRule(api, 'Ada');
  await askPerson(world, api, 'web', BASH_REQUEST);
  expect(await settled(api, rule)).toMatchObject({
    state: 'waiting',
    status: 503,
    error: 'HTTP 503',
  });
  expect(await settled(api, none)).toMatchObject({
    state: 'waiting',
    error: 'no browser of Ada is subscribed',
  });
  expect(await browsersOf(api)).toMatchObject([{ id, last_sent_at: null, last_error: 'HTTP 503' }]);
});

it('WP9 a notification answers once, as the person of its browser, without a token', async () => {
  await using service = await PushService.open();
  await using world = worldOf(service);
  const { api } = await world.start();
  const { id: person, api: mia } = await joinAs(api, 'Mia', 'operator');
  const phone = service.browser('phone');
  const id = await subscribe(mia, phone, 'Phone');
  await addRule(api, 'Mia');
  const ask = async (session: string) => {
    const before = service.got.length;
    const { id: item, answer } = await askPerson(world, api, session, BASH_REQUEST);
    const got = await until('a push', () => Promise.resolve(service.got[before]));
    return { item, answer, ticket: phone.read(got).ticket ?? '' };
  };
  const reply = async (ticket: string, decision = 'allow') => {
    const body = { ticket, decision };
    return api.send('POST', '/api/push/answers', body, { authorization: '' });
  };
  const first = await ask('web');
  expect((await reply(first.ticket)).body).toMatchObject({
    id: first.item,
    outcome: 'answered',
    by: 'Mia',
  });
  expect(JSON.stringify((await first.answer).body)).toContain('"behavior":"allow"');
  expect(refusal(await reply(first.ticket))).toBe('409 attention_cleared');
  expect(refusal(await reply(`${first.ticket}x`))).toBe('403 push_ticket_invalid');
  // The ticket is worth what the person is worth now.
  const second = await ask('api');
  const change = async (role: string) => api.send('PATCH', `/api/people/${person}`, { role });
  await change('viewer');
  expect(refusal(await reply(second.ticket))).toBe('403 push_ticket_invalid');
  await change('operator');
  await mia.send('DELETE', `/api/push/subscriptions/${id}`);
  expect(refusal(await reply(second.ticket, 'deny'))).toBe('403 push_ticket_invalid');
  await subscribe(mia, phone, 'Phone');
  expect((await reply(second.ticket, 'deny')).body).toMatchObject({ by: 'Mia' });
  expect(JSON.stringify((await second.answer).body)).toContain('"behavior":"deny"');
});

it('WP12 a browser ends with the token it was added with: of a removed person, or a lost device', async () => {
  await using service = await PushService.open();
  await using world = worldOf(service);
  const { api } = await world.start();
  const { id: noor, api: hers } = await joinAs(api, 'Noor', 'operator');
  const { id: mia, api: his } = await joinAs(api, 'Mia', 'operator');
  const phone = service.browser('phone');
  await subscribe(his, phone, 'Lost phone');
  await subscribe(hers, service.browser('tablet'), 'Tablet');
  const rule = await addRule(api, 'operator');
  const { id: item } = await askPerson(world, api, 'web', BASH_REQUEST);
  await until('both got it', () => Promise.resolve(service.got.length === 2 || undefined));
  const got = service.got.find(({ path }) => path === phone.path);
  const { ticket } = phone.read(got ?? { body: Buffer.alloc(0) });
  const { body } = await api.send('POST', `/api/people/${mia}/link`);
  const code = String(body['link']).split('#k=')[1];
  const { body: login } = await api.send('POST', '/api/login', { code });
  await api.send('DELETE', `/api/people/${noor}`);
  const answer = { ticket, decision: 'allow' };
  expect(refusal(await api.send('POST', '/api/push/answers', answer))).toBe(
    '403 push_ticket_invalid',
  );
  const headers = { authorization: `Bearer ${String(login['token'])}` };
  const { body: own } = await api.send('GET', '/api/push/subscriptions', undefined, headers);
  expect(own['browsers']).toEqual([]);
  await api.send('POST', `/api/attention/${item}/answer`, { decision: 'deny' });
  const { body: test } = await api.send('POST', `/api/alerts/${rule}/test`);
  expect(test).toMatchObject({
    ok: false,
    error: 'no browser of operators and admins is subscribed',
  });
  expect(service.got.length).toBe(2);
});
