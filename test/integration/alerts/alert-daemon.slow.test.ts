/** Alerts of a real daemon: across kill -9, and where its secrets are. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import type {
  AlertDelivery,
  AlertRule,
  WrittenAlert,
} from '../../../shared/schema/alerts/alerts.ts';
import { deliveryView, ruleView } from '../../../server/alerts/alert-view.ts';
import { readProcess } from '../../../server/lib/processes/process-identity.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { until } from '../../support/house/until.ts';
import { silent, WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';
import { World } from '../../support/daemon/world.ts';

const NONE = { waiting: 0, sent: 0, dead: 0, last: null };

const CANARY = 'canary-0123456789-canary';

async function addRule(api: ApiClient, more: object): Promise<WrittenAlert> {
  const rule = { name: 'opened', types: ['session.created'], ...more };
  const { status, body } = await api.send('POST', '/api/alerts', rule);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body as unknown as WrittenAlert;
}

async function deliveries(api: ApiClient): Promise<AlertDelivery[]> {
  return (await api.get('/api/alerts/deliveries?limit=1000')).body['deliveries'] as AlertDelivery[];
}

async function sent(api: ApiClient, count: number): Promise<AlertDelivery[]> {
  return until(`${count} are sent`, async () => {
    const all = await deliveries(api);
    return all.filter(({ state }) => state === 'sent').length === count ? all : null;
  });
}

it('AL2, AL3, AL19 a daemon killed while it sends is followed by one that sends the same again', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open(silent);
  const first = await world.spawn();
  await addRule(first.api, { target: { kind: 'webhook', url: receiver.url } });
  await first.api.openSession('web', world.taskDir('web'));
  await until('it was asked', () => receiver.got.length);
  await first.kill();
  receiver.answer = withStatus(200);
  const { api } = await world.spawn();
  const [delivery] = await sent(api, 1);
  expect(receiver.ids).toEqual([delivery?.id, delivery?.id]);
  expect(receiver.got[1]?.body).toBe(receiver.got[0]?.body);
});

it('AL2, AL3, AL19 whenever a daemon is killed, each event has one delivery, and each arrives', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open();
  const rounds = 5;
  let daemon = await world.spawn();
  await addRule(daemon.api, { target: { kind: 'webhook', url: receiver.url } });
  for (let round = 0; round < rounds; round += 1) {
    const seen = receiver.got.length;
    // Killed at different times after the commit of the first, with the second under way.
    await daemon.api.openSession(`a${round}`, world.taskDir('web'));
    const second = daemon.api.openSession(`b${round}`, world.taskDir('web')).catch(() => undefined);
    if (round % 2 === 1) await until('something arrives', () => receiver.got.length > seen);
    await daemon.kill();
    await second;
    daemon = await world.spawn();
  }
  const { api } = daemon;
  const events = await api.events('&types=session.created');
  expect(events.length).toBeGreaterThanOrEqual(rounds);
  const all = await sent(api, events.length);
  expect(all.map(({ seq }) => seq).reverse()).toEqual(events.map(({ seq }) => seq));
  expect(new Set(receiver.ids)).toEqual(new Set(all.map(({ id }) => id)));
  const first = receiver.bodies.filter(
    ({ data }, index) => receiver.bodies.findIndex((one) => one.data.seq === data.seq) === index,
  );
  expect(first.map(({ data }) => data.seq)).toEqual(events.map(({ seq }) => seq));
});

it('AL7, AL27, GA9 the end of the daemon ends a command; the command never sees the token', async () => {
  await using world = new World({ LOOPWATCH_TOKEN: CANARY });
  const { api, daemon } = await world.start();
  const file = join(world.root, 'environment');
  const script = 'env > "$1.new"; echo pid=$$ >> "$1.new"; mv "$1.new" "$1"; exec sleep 1000';
  const argv = ['/bin/sh', '-c', script, 'sh', file];
  await addRule(api, { target: { kind: 'command', argv } });
  await api.openSession('web', world.taskDir('web'));
  await until('it runs', () => existsSync(file));
  const text = readFileSync(file, 'utf8');
  const pid = Number(/^pid=(\d+)$/m.exec(text)?.[1]);
  expect(text).toContain('LOOPWATCH_EVENT_TYPE=session.created\n');
  expect(text).not.toContain(CANARY);
  expect(text).not.toMatch(/^(LOOPWATCH_(HOME|TOKEN)|PORT)=/m);
  await daemon.close();
  await until('the command is gone', () => readProcess(pid) === null);
});

it('AL10 a secret is shown to its creator, once, and is in the database alone', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open(withStatus(500));
  const { api } = await world.spawn();
  const target = { kind: 'webhook', url: receiver.url };
  const rule = await addRule(api, { types: ['*'], target });
  const secret = rule.secret ?? '';
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await api.openSession('web', world.taskDir('web'));
  await api.event('alert.failed');
  const path = `/api/alerts/${rule.id}`;
  const answers = [
    await api.get('/api/alerts'),
    await api.send('PATCH', path, { enabled: false }),
    await api.send('PATCH', path, { target: { kind: 'webhook', url: `${receiver.url}/other` } }),
    await api.send('POST', `${path}/test`),
    await api.get('/api/alerts/deliveries'),
    await api.get('/api/events?after=0'),
    await api.send('PATCH', path, { target: { ...target, secret: 'wrong' } }),
  ];
  expect(answers.filter((answer) => JSON.stringify(answer).includes(secret.slice(6)))).toEqual([]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 400]);
  const files = readdirSync(world.root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(world.root, name))
    .filter((file) => lstatSync(file).isFile() && readFileSync(file).includes(secret.slice(6)));
  expect(files.map((file) => basename(file).replace(/-wal$/, ''))).toContain('loopwatch.db');
  expect(files.filter((file) => !basename(file).startsWith('loopwatch.db'))).toEqual([]);
  // Another secret is shown, like the first one.
  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const { body } = await api.send('PATCH', path, { target: { ...target, secret: other } });
  expect(body['secret']).toBe(other);
  const command = { kind: 'command', argv: ['true'] };
  expect((await api.send('PATCH', path, { target: command })).body['secret']).toBeNull();
  const again = (await api.send('PATCH', path, { target })).body as unknown as WrittenAlert;
  expect(again.secret).not.toBe(other);
  expect(again.target).toEqual({ ...target, has_secret: true });
});

it('AL30 anyone but an admin sees neither paths, arguments nor output', () => {
  const rule = {
    id: 'r',
    name: 'n',
    enabled: true,
    types: ['*'],
    sessions: null,
    reasons: null,
    tasks: null,
    subjects: null,
    quietHours: null,
    digestMinutes: null,
    steps: [],
    cursor: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const webhook = { kind: 'webhook', url: 'https://a.b:8/key?word', secret: 'whsec_x' } as const;
  const command = { kind: 'command' as const, argv: ['notify', '--key', 'word'] };
  const targets = (['viewer', 'operator', 'admin'] as const).map((role) => [
    ruleView({ ...rule, target: webhook }, NONE, role).target,
    ruleView({ ...rule, target: command }, NONE, role).target,
  ]);
  const hidden: AlertRule['target'][] = [
    { kind: 'webhook', url: 'https://a.b:8/…', has_secret: true },
    { kind: 'command', argv: ['notify', '…'] },
  ];
  expect(targets).toEqual([
    hidden,
    hidden,
    [{ kind: 'webhook', url: 'https://a.b:8/key?word', has_secret: true }, command],
  ]);
  const row = {
    id: 'd',
    rule: 'r',
    seq: 1,
    type: 'auto.failed',
    session: null,
    reason: null,
    body: 'b',
    task: null,
    incident: null,
    cause: null,
    collects: false,
    events: 1,
    windowMs: null,
    step: 0,
    state: 'dead' as const,
    attempts: 7,
    status: 1,
    error: 'exit code 1',
    output: 'word',
    dueMs: 0,
    createdAt: rule.createdAt,
    changedAt: rule.createdAt,
  };
  const outputs = (['viewer', 'operator', 'admin'] as const).map(
    (role) => deliveryView(row, null, 0, role).output,
  );
  expect(outputs).toEqual([null, null, 'word']);
});

it('AL1, AL31 rules are created, changed, listed and removed, and the log is filtered', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open();
  const { api } = await world.start();
  const target = { kind: 'webhook', url: receiver.url };
  const one = await addRule(api, { name: 'one', sessions: ['web'], target });
  const two = await addRule(api, { name: 'two', types: ['session.*'], target });
  await api.openSession('web', world.taskDir('web'));
  await api.openSession('db', world.taskDir('db'));
  await sent(api, 3);
  const list = async (query: string) =>
    ((await api.get(`/api/alerts/deliveries?${query}`)).body['deliveries'] as AlertDelivery[]).map(
      ({ rule, session }) => [rule === one.id ? 'one' : 'two', session],
    );
  expect({
    one: await list(`rule=${one.id}`),
    two: await list(`rule=${two.id}&state=sent`),
    dead: await list('state=dead'),
    newest: await list('limit=1'),
  }).toEqual({
    one: [['one', 'web']],
    two: [
      ['two', 'db'],
      ['two', 'web'],
    ],
    dead: [],
    newest: [['two', 'db']],
  });
  const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'UTC' };
  const path = `/api/alerts/${one.id}`;
  const change = { name: 'night', sessions: null, reasons: ['quota'], quiet_hours };
  await api.send('PATCH', path, change);
  const { alerts } = (await api.get('/api/alerts')).body as unknown as { alerts: AlertRule[] };
  expect(alerts).toMatchObject([
    { id: one.id, types: ['session.created'], ...change },
    { name: 'two' },
  ]);
  await api.send('PATCH', path, { quiet_hours: null, reasons: null });
  expect((await api.send('DELETE', path)).body).toEqual({ id: one.id });
  expect((await api.send('DELETE', path)).status).toBe(404);
  expect((await api.send('PATCH', `/api/alerts/${two.id}`, {})).status).toBe(400);
  expect(await list('')).toEqual([
    ['two', 'db'],
    ['two', 'web'],
  ]);
});
