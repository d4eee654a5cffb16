/** Who is there: by what hosts say, and by how long they have been silent. */
import { expect, it } from 'vitest';
import { FleetHosts } from '../../../server/fleet/hosts.ts';
import { FleetLink } from '../../../server/fleet/fleet-link.ts';
import { ListKeeper } from '../../../server/fleet/list-keeper.ts';
import { keepPresent } from '../../../server/fleet/presence.ts';
import { EVENT_SCHEMA } from '../../../shared/rules/wire.ts';
import type { HostFacts } from '../../../shared/schema/fleet.ts';
import { EventHome } from '../../support/events/event-home.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { MemoryFleet } from '../../support/fleet/memory-carrier.ts';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

function facts(name: string, more: Partial<HostFacts> = {}): HostFacts {
  return {
    id: `id${name}`,
    name,
    instance: `i-${name}`,
    version: '1',
    started_at: '2026-01-01T00:00:00.000Z',
    labels: [],
    epoch: 'e',
    head: 0,
    free_slots: 1,
    event_schema: EVENT_SCHEMA,
    queue_length: 0,
    plan_left: null,
    plan: null,
    repositories: [],
    ...more,
  };
}

function openStage() {
  const clock = new ManualClock();
  const fleet = new MemoryFleet(clock);
  const home = new EventHome();
  const { log } = home.open({}, clock);
  const carrier = fleet.join('idone');
  const twins: string[] = [];
  const twin = () => void twins.push('twin');
  const open = () =>
    new FleetHosts({ carrier, self: () => facts('one'), clock, log, logger, twin });
  const events = () =>
    log.read(0, 100).map(({ json }) => JSON.parse(json) as { type: string; data: object });
  return {
    clock,
    fleet,
    log,
    [Symbol.dispose]: () => home[Symbol.dispose](),
    carrier,
    open,
    events,
    twins,
  };
}

it('FH12 a host that is silent for 30 s is unreachable, with the time it was last heard of', async () => {
  using stage = openStage();
  const { clock, fleet, open, events } = stage;
  const two = fleet.join('idtwo');
  const hosts = open();
  await two.present(facts('two'));
  expect(hosts.view(null).hosts.map(({ name, state }) => [name, state])).toEqual([
    ['one', 'here'],
    ['two', 'reachable'],
  ]);
  const heardAt = new Date(clock.now()).toISOString();
  // A wall clock that is set changes nothing.
  clock.jumpWall(3_600_000);
  clock.advance(29_999);
  expect(hosts.byName('two')?.isReachable).toBe(true);
  clock.advance(1);
  expect(hosts.view(null).hosts[1]).toMatchObject({ state: 'unreachable', last_seen_at: heardAt });
  expect(clock.pending).toBe(0);
  await two.present(facts('two'));
  expect(hosts.view(null).hosts[1]).toMatchObject({ state: 'reachable', last_seen_at: null });
  expect(events()).toMatchObject([
    { type: 'fleet.host_found', subject: { kind: 'host', id: 'idtwo' }, data: { name: 'two' } },
    { type: 'fleet.host_lost', data: { host: 'idtwo', name: 'two', since: heardAt } },
    { type: 'fleet.host_found', data: { host: 'idtwo', name: 'two' } },
  ]);
  hosts.dispose();
  expect(clock.pending).toBe(0);
});

it('FH12 what was known before this daemon started is no news, and old news is old', async () => {
  using stage = openStage();
  const { clock, fleet, open, events } = stage;
  await fleet.join('idtwo').present(facts('two'));
  clock.advance(20_000);
  await fleet.join('idsix').present(facts('six'));
  clock.advance(15_000);
  const hosts = open();
  expect(hosts.byName('two')).toMatchObject({ isReachable: false });
  expect(hosts.byName('six')).toMatchObject({ isReachable: true });
  expect(events()).toEqual([]);
  clock.advance(15_000);
  expect(events()).toMatchObject([{ type: 'fleet.host_lost', data: { name: 'six' } }]);
  hosts.dispose();
});

it('FH12 a host says that it is there at once, every 10 s and when it is connected again', async () => {
  using stage = openStage();
  const { clock, fleet, carrier } = stage;
  const heard: number[] = [];
  fleet.join('idtwo').onPresence(() => void heard.push(clock.monotonic()));
  const stop = keepPresent({ carrier, self: () => facts('one'), clock, logger });
  expect(clock.pending).toBe(1);
  clock.advance(25_000);
  fleet.cut('idone');
  clock.advance(11_000);
  fleet.heal('idone');
  await Promise.resolve();
  expect(heard).toEqual([0, 10_000, 20_000, 36_000]);
  stop();
  expect(clock.pending).toBe(0);
});

it('FM4 a host that was removed is listed no more, and is no host that was lost', async () => {
  using stage = openStage();
  const { clock, fleet, open, events } = stage;
  const hosts = open();
  await fleet.join('idtwo').present(facts('two'));
  await fleet.join('idthree').present(facts('three'));
  fleet.remove('idtwo');
  const names = () => hosts.view(null).hosts.map(({ name }) => name);
  expect(names()).toEqual(['one', 'three']);
  expect(hosts.byName('two')).toBeNull();
  clock.advance(31_000);
  const lost = events().filter(({ type }) => type === 'fleet.host_lost');
  expect(lost.map(({ data }) => data)).toEqual([expect.objectContaining({ name: 'three' })]);
  hosts.dispose();
});

it('FH19 the daemon that came second under a host id ends its part, the first one does not', async () => {
  using stage = openStage();
  const { clock, fleet, log, carrier, open, twins } = stage;
  const hosts = open();
  const other = fleet.join('idone');
  const twin = (instance: string, started_at: string) => facts('one', { instance, started_at });
  await other.present(facts('one'));
  await other.present(twin('i-late', '2026-01-02T00:00:00.000Z'));
  expect(twins).toEqual([]);
  await other.present(twin('i-early', '2025-01-02T00:00:00.000Z'));
  expect(twins).toEqual(['twin']);
  hosts.dispose();
  let ended = 0;
  const link = new FleetLink({ carrier, clock, log, logger, onDuplicate: () => (ended += 1) });
  link.duplicate();
  link.duplicate();
  expect({ ended, code: link.problem?.code }).toEqual({ ended: 1, code: 'duplicate_host_id' });
  fleet.cut('idone');
  expect(link.problem?.code).toBe('duplicate_host_id');
});

it('FH15 lists are kept after the log moved, at most every 15 s, and not while it is idle', async () => {
  using stage = openStage();
  const { clock, fleet, log, carrier } = stage;
  let answer = 'first';
  const asked: number[] = [];
  const keeper = new ListKeeper({
    carrier,
    targets: ['/api/sessions'],
    answer: async () => {
      asked.push(clock.monotonic());
      return Promise.resolve(Buffer.from(answer));
    },
    log,
    clock,
    logger,
  });
  const settle = async () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const kept = async () =>
    Buffer.from((await carrier.copy('idone', '/api/sessions'))?.answer ?? []).toString();
  clock.advance(0);
  await settle();
  expect(await kept()).toBe('first');
  clock.advance(600_000);
  await settle();
  expect({ asked, pending: clock.pending }).toEqual({ asked: [0], pending: 0 });
  answer = 'second';
  for (let round = 0; round < 20; round += 1) {
    log.write((append) => append({ type: 'daemon.stopping', data: {} }));
    await settle();
    clock.advance(1_000);
    await settle();
  }
  clock.advance(15_000);
  await settle();
  expect(await kept()).toBe('second');
  expect(asked).toEqual([0, 600_000, 615_000, 630_000]);
  fleet.cut('idone');
  answer = 'third';
  log.write((append) => append({ type: 'daemon.stopping', data: {} }));
  await settle();
  clock.advance(60_000);
  expect(asked.length).toBe(4);
  fleet.heal('idone');
  clock.advance(0);
  await settle();
  expect(await kept()).toBe('third');
  keeper.dispose();
  expect(clock.pending).toBe(0);
});
