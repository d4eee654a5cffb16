/** Daemons on a real cluster of three NATS servers, which is split, and whose servers end. */
import { expect, it } from 'vitest';
import { connectCarrier } from '../../../server/fleet/nats/nats-carrier.ts';
import type { Carrier } from '../../../server/fleet/carrier.ts';
import { COPIED_TARGETS } from '../../../server/gateway/copied-answer.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { allRecords } from '../../support/drills/daemon-events.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { fleetSeenBy } from '../../support/fleet/fleet-view.ts';
import {
  type FleetHost,
  FleetWorld,
  OWNER_TOKEN,
  reaches,
  through,
} from '../../support/fleet/fleet-world.ts';
import { NatsCluster } from '../../support/fleet/nats-cluster.ts';
import { hostIdentity } from '../../support/fleet/nats-server.ts';
import { SharedBranch, SPELLINGS } from '../../support/fleet/shared-branch.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import { until } from '../../support/house/until.ts';

const PROMPT = { title: 'asked', content: 'once' };
const ROUNDS = 50;
/** How often a host renews the copies of its lists at most. */
const LISTS_AFTER_MS = 15_000;

async function carrierOn(url: string, name: string) {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const identity = hostIdentity(name);
  return connectCarrier({ url, identity, instance: name, clock: systemClock, log: silent });
}

/** Until what that host says of its fleet is so. */
async function sees(
  what: string,
  { api }: FleetHost,
  isSo: (seen: Awaited<ReturnType<typeof fleetSeenBy>>) => boolean,
): Promise<void> {
  let seen: unknown;
  await until(
    what,
    async () => {
      const now = await fleetSeenBy(api);
      seen = now;
      return isSo(now);
    },
    () => seen,
  );
}

/** The copy of its log has each of its events once and in its place. */
async function expectCopied(reader: Carrier, { id, api }: FleetHost): Promise<void> {
  const { epoch } = (await api.get('/api/status')).body as { epoch: string };
  const records = await allRecords(api);
  await until(
    'its log is copied',
    async () => ((await reader.position(id))?.last ?? 0) >= records.length,
  );
  expect(await reader.replay(id, epoch, 0, records.length)).toEqual(records);
}

it('FL22 FL16 a cluster keeps all three times but claims, and grants none of those twice', async () => {
  await using cluster = await NatsCluster.start();
  const { streams } = await cluster.manager(1);
  const replicas: Record<string, number> = {};
  for await (const { config } of streams.list()) replicas[config.name] = config.num_replicas;
  expect(replicas).toEqual({ EV: 3, KV_claims: 1, KV_copies: 3, KV_hosts: 3, KV_people: 3 });
  const hosts = [
    await carrierOn(cluster.of(0).url, 'one'),
    await carrierOn(cluster.of(1).url, 'two'),
    await carrierOn(cluster.of(2).url, 'three'),
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Since the second round, one that was released: those are what a cluster grants twice.
    const asked = hosts.map(async (host) => host.claim('work', 'w'));
    const granted = (await Promise.all(asked)).filter((claim) => claim !== null);
    expect(granted).toHaveLength(1);
    for (const host of hosts) expect(await host.claims()).toEqual(granted);
    expect(await Promise.all(granted.map(async (claim) => hosts[0]?.release(claim)))).toEqual([
      true,
    ]);
  }
  for (const host of hosts) await host.close();
});

it('FC13 FL21 FC6 FC7 FH13 FH14 the smaller side of a split works alone, the larger one together, and healed nothing is doubled', async () => {
  await using cluster = await NatsCluster.start();
  const keeper = await cluster.keeperOfClaims();
  const small = (keeper + 1) % 3;
  const clock = new SkipClock();
  await using fleet = new FleetWorld(clock);
  const reader = await carrierOn(cluster.of(small).url, 'reader');
  const away = await fleet.host('away', {}, cluster.of(small).url);
  const one = await fleet.host('one', {}, cluster.of(keeper).url);
  const two = await fleet.host('two', {}, cluster.of((keeper + 2) % 3).url);
  for (const name of ['one', 'two']) await reaches(away, name);
  for (const host of [one, two]) await reaches(host, 'away');
  await reaches(one, 'two');
  const there = new SharedBranch(away, SPELLINGS[0]);
  const here = new SharedBranch(one, SPELLINGS[1]);
  await there.begin('fix', 'fix-login');
  await there.tasks.until('fix', 'RUNNING');
  await here.begin('repair', 'fix-login');
  await here.waits('repair', 'claimed');
  clock.skip(LISTS_AFTER_MS);
  const [tasks = ''] = COPIED_TARGETS.filter((target) => target.startsWith('/api/v1/tasks'));
  await until('its tasks are copied', async () => {
    const kept = await reader.copy(away.id, tasks);
    return Buffer.from(kept?.answer ?? []).includes('"fix"');
  });

  cluster.isolate(small);
  await sees('the cut host says so', away, ({ problem }) => problem === 'no_majority');
  expect((await fleetSeenBy(away.api)).states).toEqual({
    away: 'here',
    one: 'unreachable',
    two: 'unreachable',
  });
  expect(refusal(await through(away, OWNER_TOKEN, 'one').get('/api/sessions'))).toBe(
    '503 host_unreachable',
  );
  expect((await away.api.send('POST', '/api/v1/prompts', PROMPT)).status).toBe(201);
  await there.begin('late', 'late');
  await there.waits('late', 'fleet_unreachable');
  expect(await there.tasks.get('fix')).toMatchObject({ status: 'RUNNING', process_running: true });

  const isAlone = ({ problem, states }: Awaited<ReturnType<typeof fleetSeenBy>>) =>
    problem === null && states['away'] === 'unreachable';
  await sees(
    'it is unreachable',
    one,
    (seen) => isAlone(seen) && seen.states['two'] === 'reachable',
  );
  await sees(
    'it is unreachable',
    two,
    (seen) => isAlone(seen) && seen.states['one'] === 'reachable',
  );
  // As of then: what was copied before.
  const copy = await through(two, OWNER_TOKEN, 'away').get('/api/v1/tasks');
  expect(JSON.stringify(copy.body)).toContain('"fix"');
  await here.begin('new', 'new');
  await here.tasks.until('new', 'RUNNING');
  await here.waits('repair', 'claimed');
  const claim = (await here.claims()).find(({ name }) => name === 'away');
  expect((await here.release(claim)).status).toBe(200);
  await here.tasks.until('repair', 'RUNNING');

  cluster.heal();
  expect(await away.api.event('claim.lost')).toMatchObject({
    data: { task: 'fix', holder: 'one' },
  });
  await there.tasks.until('fix', 'STOPPED');
  await until('its agent has ended', async () => !(await there.isAtWork('fix')));
  await there.tasks.until('late', 'RUNNING');
  expect(await here.tasks.get('repair')).toMatchObject({ status: 'RUNNING' });
  await sees('all is well', away, ({ problem }) => problem === null);
  for (const host of [one, two]) await reaches(host, 'away');
  for (const name of ['one', 'two']) await reaches(away, name);
  await until('the reader is back', () => reader.isConnected);
  for (const host of [away, one, two]) await expectCopied(reader, host);
  await reader.close();
});

it('FL21 FC13 a host goes to another server when its own ends, and waits when most have', async () => {
  await using cluster = await NatsCluster.start();
  const keeper = await cluster.keeperOfClaims();
  const others = [0, 1, 2].filter((member) => member !== keeper);
  await using fleet = new FleetWorld();
  const one = await fleet.host('one', {}, cluster.urls);
  const two = await fleet.host('two', {}, cluster.urls);
  await reaches(one, 'two');
  await reaches(two, 'one');
  const here = new SharedBranch(one, SPELLINGS[0]);
  await here.begin('fix', 'fix');
  await here.tasks.until('fix', 'RUNNING');

  // The others continue, but for new claims.
  await cluster.of(keeper).kill();
  await here.begin('late', 'late');
  await here.waits('late', 'fleet_unreachable');
  await reaches(one, 'two');
  const other = through(one, OWNER_TOKEN, 'two');
  await until('it answers', async () => (await other.get('/api/sessions')).status === 200);
  expect((await other.send('POST', '/api/v1/prompts', PROMPT)).status).toBe(201);
  await cluster.of(keeper).resume();
  await here.tasks.until('late', 'RUNNING');

  for (const member of others) await cluster.of(member).kill();
  for (const host of [one, two]) {
    await sees('it is alone', host, ({ problem }) => problem === 'no_majority');
  }
  expect(await here.tasks.get('fix')).toMatchObject({ status: 'RUNNING', process_running: true });
  for (const member of others) await cluster.of(member).resume();
  await reaches(one, 'two');
  await reaches(two, 'one');
  const reader = await carrierOn(cluster.urls, 'reader');
  for (const host of [one, two]) await expectCopied(reader, host);
  await reader.close();
});
