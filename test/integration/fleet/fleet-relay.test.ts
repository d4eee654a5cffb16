/** Event logs copied to a real NATS server that is killed, cut off and emptied meanwhile. */
import { randomBytes } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { provisionFleet } from '../../../server/fleet/nats/provision-fleet.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { CutProxy } from '../../support/browser/cut-proxy.ts';
import { FleetRig, idOf } from '../../support/fleet/fleet-rig.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { expectCopied, RelayHost } from '../../support/fleet/relay-host.ts';
import { until } from '../../support/house/until.ts';

it('FL1 the log is copied while it grows and the server is killed', async () => {
  await using rig = await FleetRig.start();
  await using host = new RelayHost('a');
  const reader = await rig.host('b');
  host.write(2_300);
  await host.daemon(rig.server.url);
  for (let round = 0; round < 3; round += 1) {
    host.write(40);
    await until('some is copied', async () =>
      reader.isConnected ? ((await reader.position(host.id))?.last ?? 0) > round * 80 : false,
    );
    await rig.server.kill();
    host.write(40);
    await rig.server.resume();
    await until('connected again', () => reader.isConnected);
  }
  await expectCopied(reader, host);
});

it.each(['deleted', 'purged'])('FL2 a copy that was %s is filled again', async (how) => {
  await using rig = await FleetRig.start();
  await using host = new RelayHost('a');
  const reader = await rig.host('b');
  await host.daemon(rig.server.url);
  host.write(700);
  await expectCopied(reader, host);
  const admin = await rig.server.admin();
  const jsm = await jetstreamManager(admin);
  if (how === 'purged') await jsm.streams.purge('EV');
  else {
    await jsm.streams.delete('EV');
    host.write(5);
    await provisionFleet(admin);
  }
  host.write(5);
  await expectCopied(reader, host);
});

it('FL2 a copy that was lost while its host had no event is filled again', async () => {
  await using rig = await FleetRig.start();
  await using host = new RelayHost('a');
  const reader = await rig.host('b');
  host.write(700);
  await host.daemon(rig.server.url);
  await expectCopied(reader, host);
  const admin = await rig.server.admin();
  await (await jetstreamManager(admin)).streams.delete('EV');
  await provisionFleet(admin);
  await expectCopied(reader, host);
});

it('FL2 a restored database starts another copy, from its oldest event', async () => {
  await using rig = await FleetRig.start();
  await using host = new RelayHost('a');
  const reader = await rig.host('b');
  host.write(50);
  const before = host.log.epoch;
  const daemon = await host.daemon(rig.server.url);
  await expectCopied(reader, host);
  await daemon.kill();
  host.restore();
  expect(host.log.epoch).not.toBe(before);
  await host.daemon(rig.server.url);
  host.write(3);
  await expectCopied(reader, host);
  expect(await reader.replay(host.id, before, 0, 100)).toEqual([]);
});

it('FL3 a batch whose answer was lost is neither repeated nor left out', async () => {
  await using rig = await FleetRig.start();
  await using proxy = await CutProxy.listen(() => rig.server.port);
  await using host = new RelayHost('a');
  const reader = await rig.host('b');
  await host.daemon(proxy.url);
  host.write(10);
  await expectCopied(reader, host);
  proxy.losesAnswers = true;
  host.write(10);
  await until('stored', async () => (await reader.position(host.id))?.last === host.log.head);
  host.write(10);
  proxy.losesAnswers = false;
  proxy.cut();
  await expectCopied(reader, host);
  const { messages } = (await (await jetstreamManager(await rig.server.admin())).streams.info('EV'))
    .state;
  // One each: the lost answer caused no second copy.
  expect(messages).toBe(3);
});

it('FL5 a second daemon with the id of a host stops, and copies nothing', async () => {
  await using rig = await FleetRig.start();
  await using host = new RelayHost('a', systemClock);
  await using copied = new RelayHost('a', systemClock);
  const reader = await rig.host('b');
  host.write(20);
  copied.write(30);
  const first = await host.daemon(rig.server.url);
  await until('the first serves', () => first.state === 'serving');
  const second = await copied.daemon(rig.server.url);
  await until('the second stops', () => second.state === 'duplicate');
  host.write(5);
  copied.write(5);
  await expectCopied(reader, host);
  expect(first.state).toBe('serving');
});

it('FL5 of two daemons that start at the same time, one stops', async () => {
  await using rig = await FleetRig.start();
  await using host = new RelayHost('a', systemClock);
  await using copied = new RelayHost('a', systemClock);
  const daemons = await Promise.all([host.daemon(rig.server.url), copied.daemon(rig.server.url)]);
  await until(
    'one stops',
    () => {
      for (const each of [host, copied]) each.write(1);
      return daemons.filter(({ state }) => state === 'duplicate').length === 1;
    },
    () => host.log.head,
  );
  expect(daemons.filter(({ state }) => state === 'serving').length).toBe(1);
  const reader = await rig.host('b');
  await expectCopied(reader, daemons[0].state === 'serving' ? host : copied);
});

it('FL1 a batch that the server took twice is read once', async () => {
  await using rig = await FleetRig.start();
  const a = await rig.host('a');
  const batch = (first: number, last: number, events: number[]) => {
    const lines = events.map((seq) => `{"seq":${seq}}`);
    return { epoch: 'e', instance: 'i', first, last, events: lines };
  };
  const first = await a.append(batch(1, 3, [1, 2, 3]), null);
  if (first === 'moved') throw new Error('not taken');
  // A cluster does so when two are under way; one server, when it is asked to.
  const second = await a.append(batch(1, 4, [1, 2, 3, 4]), first);
  if (second === 'moved') throw new Error('not taken');
  await a.append(batch(5, 5, [5]), second);
  const id = idOf('a');
  const seqs = [1, 2, 3, 4, 5].map((seq) => `{"seq":${seq}}`);
  expect(await a.replay(id, 'e', 0, 10)).toEqual(seqs);
  expect(await a.replay(id, 'e', 2, 10)).toEqual(seqs.slice(2));
});

it('FL5 the daemon that follows a killed one continues its copy', async () => {
  await using rig = await FleetRig.start();
  await using host = new RelayHost('a');
  const reader = await rig.host('b');
  for (let life = 0; life < 3; life += 1) {
    const daemon = await host.daemon(rig.server.url);
    host.write(25);
    await expectCopied(reader, host);
    expect(daemon.state).toBe('serving');
    await daemon.kill();
    host.write(5);
  }
});

it('FL5 the daemon that follows a killed one copies at once', async () => {
  await using rig = await FleetRig.start();
  const clock = new ManualClock();
  await using host = new RelayHost('a', clock);
  const reader = await rig.host('b');
  for (const count of [3, 2]) {
    host.write(count);
    const daemon = await host.daemon(rig.server.url);
    // What is due now, and nothing that waits for time to pass.
    clock.advance(0);
    await expectCopied(reader, host);
    await daemon.kill();
  }
});

it('FL6 an idle relay asks only where its copy ends; a burst is one batch', async () => {
  await using rig = await FleetRig.start();
  await using host = new RelayHost('a');
  const clock = new ManualClock();
  const calls: string[] = [];
  const noted = <Result>(call: string, result: Result) => {
    calls.push(call);
    return result;
  };
  host.write(3);
  await host.daemon(
    rig.server.url,
    (carrier) => ({
      ...carrier,
      get isConnected() {
        return carrier.isConnected;
      },
      onConnection: (listener) => noted('onConnection', carrier.onConnection(listener)),
      request: async (to, head) => noted('request', carrier.request(to, head)),
      position: async (of) => noted('position', carrier.position(of)),
      append: async (batch, after) => noted('append', carrier.append(batch, after)),
      present: async (facts) => noted('present', carrier.present(facts)),
    }),
    clock,
  );
  const reader = await rig.host('b');
  clock.advance(0);
  await expectCopied(reader, host);
  await until('it rests', () => clock.pending === 1);
  expect(calls).toEqual(['onConnection', 'position', 'request', 'append']);
  clock.advance(3_999);
  expect(calls.length).toBe(4);
  clock.advance(1);
  await until('it rests again', () => clock.pending === 1);
  expect(calls.slice(4)).toEqual(['position']);
  const called = async () =>
    until('the listeners were called', async () => new Promise((done) => setImmediate(done, true)));
  host.write(2);
  await called();
  host.write(3);
  await called();
  clock.advance(20);
  await expectCopied(reader, host);
  expect(calls.slice(5)).toEqual(['append']);
});

it('FL1 an event too large to be copied is left out, and those after it are copied', async () => {
  await using rig = await FleetRig.start();
  await using host = new RelayHost('a');
  const reader = await rig.host('b');
  await host.daemon(rig.server.url);
  host.write(3);
  // Random, so that packing does not help.
  const version = randomBytes(600_000).toString('base64');
  host.log.write((append) => append({ type: 'daemon.started', data: { version, pid: 1 } }));
  host.write(3);
  await until(
    'the events after it are copied',
    async () => (await reader.position(host.id))?.last === host.log.head,
  );
  const events = host.events();
  const fits = events.filter((json) => !json.includes(version));
  expect([events.length, fits.length]).toEqual([7, 6]);
  expect(await reader.replay(host.id, host.log.epoch, 0, 100)).toEqual(fits);
});
