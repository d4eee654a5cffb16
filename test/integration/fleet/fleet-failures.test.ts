/** What other hosts answer when something of the fleet fails, as people and pages see it. */
import { jetstreamManager } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { provisionFleet } from '../../../server/fleet/nats/provision-fleet.ts';
import { allRecords } from '../../support/drills/daemon-events.ts';
import {
  FleetWorld,
  openPair,
  reaches,
  through,
  OWNER_TOKEN,
} from '../../support/fleet/fleet-world.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { NatsServer } from '../../support/fleet/nats-server.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import { until } from '../../support/house/until.ts';

const PROMPT = { title: 'asked', content: 'once' };

it('FH4 FH13 without its connection a host does its own work and refuses what is for others at once', async () => {
  const clock = new ManualClock(Date.now());
  await using pair = await openPair({}, clock);
  const { one, two, carried } = pair;
  carried.cut(one.id);
  // No time passes: nothing waits for an answer.
  const refused = await through(one, OWNER_TOKEN).send('POST', '/api/v1/prompts', PROMPT);
  expect(refusal(refused)).toBe('503 host_unreachable');
  expect((await one.api.send('POST', '/api/v1/prompts', PROMPT)).status).toBe(201);
  expect((await one.api.get('/api/hosts')).body).toMatchObject({
    problem: { code: 'disconnected' },
    hosts: [
      { name: 'one', state: 'here' },
      { name: 'two', state: 'unreachable' },
    ],
  });
  expect((await two.api.get('/api/v1/prompts')).body).toEqual([]);
  // The others show each other on.
  expect((await two.api.get('/api/hosts')).body['problem']).toBeNull();
});

it('FH12 FH14 a dead host is unreachable after 30 s, its work stays as it was last, and it comes back', async () => {
  const clock = new ManualClock(Date.now());
  await using pair = await openPair({}, clock);
  const { one, two, carried } = pair;
  await two.api.openSession('web', two.world.taskDir('web'));
  await until('the list is kept', () => {
    clock.advance(1_000);
    const { answer = [] } = carried.copies.get(`${two.id} /api/sessions`) ?? {};
    return Buffer.from(answer).toString().includes('"web"');
  });
  const before = (await two.api.get('/api/sessions')).body;
  await two.daemon.close();
  const state = async () => {
    const hosts = (await one.api.get('/api/hosts')).body['hosts'] as { state: string }[];
    return hosts[1]?.state;
  };
  // Commands fail at once, long before its silence is noticed.
  const gate = through(one, OWNER_TOKEN);
  expect(refusal(await gate.send('POST', '/api/v1/prompts', PROMPT))).toBe('503 host_unreachable');
  expect(await state()).toBe('reachable');
  clock.advance(31_000);
  expect(await state()).toBe('unreachable');
  expect((await gate.get('/api/sessions')).body).toEqual(before);
  expect(refusal(await gate.send('POST', '/api/v1/prompts', PROMPT))).toBe('503 host_unreachable');
  const { api } = await two.world.start(clock, { carrier: carried.join(two.id) });
  await reaches(one, 'two', clock);
  expect((await gate.get('/api/sessions')).body).toEqual((await api.get('/api/sessions')).body);
});

it('FL2 FH14 after the stream was deleted, the log of a host is whole again on every other', async () => {
  await using server = await NatsServer.start();
  const clock = new SkipClock();
  await using fleet = new FleetWorld(clock);
  const one = await fleet.host('one', {}, server.url);
  const two = await fleet.host('two', {}, server.url);
  await reaches(one, 'two');
  const admin = await server.admin();
  await (await jetstreamManager(admin)).streams.delete('EV');
  await two.api.openSession('web', two.world.taskDir('web'));
  await provisionFleet(admin);
  await two.api.send('POST', '/api/people', { name: 'Ada', role: 'viewer' });
  // The page of that host does not need the copy.
  expect((await through(one, OWNER_TOKEN).get('/api/sessions/web')).status).toBe(200);
  const records = await allRecords(two.api);
  const copy = through(one, OWNER_TOKEN);
  await until('its log is copied', async () => {
    clock.skip(2_000);
    const { body } = await copy.get('/api/events?after=0&limit=1000');
    return Number(body['head']) >= records.length;
  });
  await two.daemon.close();
  clock.skip(31_000);
  await until('the copy is answered', async () => {
    const { body } = await copy.get('/api/events?after=0&limit=1000');
    const events = (body['events'] as object[] | undefined) ?? [];
    return (
      JSON.stringify(events.slice(0, records.length)) ===
      JSON.stringify(records.map((json) => JSON.parse(json) as object))
    );
  });
});
