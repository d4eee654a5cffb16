/** Steps and grouped repeats of a real daemon, across kill -9. */
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { AlertDelivery } from '../../../shared/schema/alerts/alerts.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { until } from '../../support/house/until.ts';
import { silent, WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';
import { World } from '../../support/daemon/world.ts';

it('AL68, AL19 a daemon killed before and while a step is sent is followed by one that begins it once', async () => {
  await using world = new World();
  await using first = await WebhookReceiver.open();
  await using next = await WebhookReceiver.open(silent);
  const hook = ({ url }: WebhookReceiver) => ({ kind: 'webhook', url });
  const one = await world.spawn();
  const rule = { name: 'pager', types: ['session.created'], target: hook(first) };
  const steps = [{ after_minutes: 1, target: hook(next) }];
  await one.api.send('POST', '/api/alerts', { ...rule, steps });
  await one.api.openSession('web', world.taskDir('web'));
  await until('the first was sent', () => first.got.length);
  await one.kill();
  // A minute passes while no daemon runs.
  const database = new Sqlite(join(world.home, 'loopwatch.db'));
  database.prepare('UPDATE alert_incidents SET due_ms = due_ms - 60000').run();
  database.close();
  const two = await world.spawn();
  await until('the step is being sent', () => next.got.length);
  await two.kill();
  next.answer = withStatus(200);
  const { api } = await world.spawn();
  const ofStep = await until('the step was sent', async () => {
    const { body } = await api.get('/api/alerts/deliveries?limit=1000');
    const all = body['deliveries'] as AlertDelivery[];
    return all.filter(({ step, state }) => step === 1 && state === 'sent')[0];
  });
  expect(next.ids).toEqual([ofStep.id, ofStep.id]);
  const { body } = await api.get('/api/alerts/incidents');
  expect(body['incidents']).toMatchObject([{ step: 1, steps: 1, next_step_at: null }]);
  const escalated = (await api.events()).filter(({ type }) => type === 'alert.escalated');
  expect(escalated).toHaveLength(1);
});

it('AL2, AL81 a daemon killed while it collects repeats is followed by one that adds to them', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open();
  const one = await world.spawn();
  const target = { kind: 'webhook', url: receiver.url };
  const rule = { name: 'fleet', types: ['session.created'], target, digest_minutes: 60 };
  await one.api.send('POST', '/api/alerts', rule);
  const collected = async (api: ApiClient) => {
    const { body } = await api.get('/api/alerts/deliveries?limit=1000');
    return (body['deliveries'] as AlertDelivery[]).map(({ state, events }) => [state, events]);
  };
  const openOne = async (api: ApiClient, name: string) =>
    api.openSession(name, world.taskDir(name));
  await openOne(one.api, 'first');
  await until('the first was sent', async () => (await collected(one.api))[0]?.[0] === 'sent');
  for (const name of ['second', 'third']) await openOne(one.api, name);
  await one.kill();
  const { api } = await world.spawn();
  await openOne(api, 'fourth');
  await until('all are in a delivery', async () => {
    return (await collected(api)).reduce((sum, [, events]) => sum + Number(events), 0) === 4;
  });
  expect(await collected(api)).toEqual([
    ['waiting', 3],
    ['sent', 1],
  ]);
  expect(receiver.got).toHaveLength(1);
});
