/** What the hosts of a fleet need of each other, on a real NATS server: all but channels. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import { EVENT_SCHEMA } from '../../../shared/rules/wire.ts';
import type { EventBatch, RelayPosition } from '../../../server/fleet/carrier.ts';
import type { NatsCarrier } from '../../../server/fleet/nats/nats-carrier.ts';
import { forgetHost, provisionFleet } from '../../../server/fleet/nats/provision-fleet.ts';
import { CutProxy } from '../../support/browser/cut-proxy.ts';
import { factsOf, FleetRig, idOf, SOCKET } from '../../support/fleet/fleet-rig.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { until } from '../../support/house/until.ts';

const A = idOf('a');

function batchOf(first: number, last: number, change: Partial<EventBatch> = {}): EventBatch {
  const events = Array.from({ length: last - first + 1 }, (_, n) => eventOf(first + n));
  return { epoch: 'e1', instance: 'a-1', first, last, events, ...change };
}

function eventOf(seq: number): string {
  return JSON.stringify({ seq, type: 'daemon.stopping', data: { seq } });
}

/** Appends batches of those sizes. */
async function copy(carrier: NatsCarrier, sizes: readonly number[]): Promise<RelayPosition> {
  let at: RelayPosition | null = await carrier.position(A);
  for (const size of sizes) {
    const first = (at?.last ?? 0) + 1;
    const next = await carrier.append(batchOf(first, first + size - 1), at);
    if (next === 'moved') throw new Error('moved');
    at = next;
  }
  if (at === null) throw new Error('nothing appended');
  return at;
}

it('FL1 FL3 a batch is copied only after the one it names', async () => {
  await using rig = await FleetRig.start();
  const a = await rig.host('a');
  const other = await rig.host('a', { instance: 'a-2' });
  expect(await a.position(A)).toBeNull();
  const first = await copy(a, [3]);
  expect(first).toEqual({ epoch: 'e1', instance: 'a-1', last: 3, revision: first.revision });
  expect(await other.position(A)).toEqual(first);
  expect(await other.append(batchOf(1, 9), null)).toBe('moved');
  const second = await other.append(batchOf(4, 5, { instance: 'a-2' }), first);
  expect(second).toMatchObject({ instance: 'a-2', last: 5 });
  expect(await a.append(batchOf(4, 4), first)).toBe('moved');
  expect(await a.replay(A, 'e1', 0, 100)).toEqual([1, 2, 3, 4, 5].map(eventOf));
});

it('FL3 a batch whose answer was lost is found again, and refused a second time', async () => {
  await using rig = await FleetRig.start();
  await using proxy = await CutProxy.listen(() => rig.server.port);
  const a = await rig.host('a', { url: proxy.url });
  const first = await copy(a, [2]);
  proxy.losesAnswers = true;
  const lost = expect(a.append(batchOf(3, 4), first)).rejects.toMatchObject({
    code: 'host_unreachable',
  });
  const witness = await rig.host('b');
  await until('the batch is stored', async () => (await witness.position(A))?.last === 4);
  proxy.cut();
  proxy.losesAnswers = false;
  await lost;
  await until('connected again', () => a.isConnected);
  expect(await a.append(batchOf(3, 4), first)).toBe('moved');
  expect(await a.position(A)).toMatchObject({ last: 4 });
  expect(await a.replay(A, 'e1', 0, 100)).toEqual([1, 2, 3, 4].map(eventOf));
});

it('FL4 events are read from any seq, in pages, also when their host is gone', async () => {
  await using rig = await FleetRig.start();
  const a = await rig.host('a');
  const { last } = await copy(a, [1, 7, 1, 1, 500, 2, 90, 1, 1, 30]);
  await a.close();
  const b = await rig.host('b');
  const all = Array.from({ length: last }, (_, n) => eventOf(n + 1));
  for (const after of [0, 1, 5, 8, 9, 10, 300, 509, 510, 511, 600, last - 1, last]) {
    for (const limit of [1, 3, 1000]) {
      expect(await b.replay(A, 'e1', after, limit)).toEqual(all.slice(after, after + limit));
    }
  }
  expect(await b.replay(A, 'e0', 0, 10)).toEqual([]);
  expect(await b.replay(idOf('unknown'), 'e1', 0, 10)).toEqual([]);
});

it('FL2 FL4 a new epoch begins again at its first event, and hides the ones before', async () => {
  await using rig = await FleetRig.start();
  const a = await rig.host('a');
  let at: RelayPosition | 'moved' = await copy(a, [5, 5]);
  for (const epoch of ['e2', 'e1']) {
    for (const first of [1, 4, 7]) {
      if (at === 'moved') throw new Error('moved');
      at = await a.append(batchOf(first, first + 2, { epoch }), at);
    }
    for (const after of [0, 4, 8]) {
      const seqs = Array.from({ length: 9 - after }, (_, n) => after + 1 + n);
      expect(await a.replay(A, epoch, after, 100)).toEqual(seqs.map(eventOf));
    }
  }
  expect(await a.replay(A, 'e2', 0, 100)).toEqual([]);
});

it('FL23 a batch says the version of its events', async () => {
  await using rig = await FleetRig.start();
  await copy(await rig.host('a'), [2]);
  const { direct } = await jetstreamManager(await rig.server.admin());
  const batch = await direct.getMessage('EV', { last_by_subj: `ev.${A}` });
  expect(batch?.header.get('Loopwatch-schema')).toBe(String(EVENT_SCHEMA));
});

it('FL14 a damaged batch of another host is left out', async () => {
  await using rig = await FleetRig.start();
  const a = await rig.host('a');
  const at = await copy(a, [2]);
  const js = jetstream(await rig.server.admin());
  const bad = headers();
  const fields = { epoch: 'e1', instance: 'a-1', first: '3', last: '4', floor: '0' };
  for (const [name, value] of Object.entries(fields)) bad.set(`Loopwatch-${name}`, value);
  const { seq } = await js.publish(`ev.${A}`, 'not packed', { headers: bad });
  expect(await a.position(A)).toEqual({ ...at, last: 4, revision: seq });
  expect(await a.replay(A, 'e1', 0, 10)).toEqual([1, 2].map(eventOf));
  await js.publish(`ev.${A}`, 'no headers');
  expect(await a.position(A)).toMatchObject({ epoch: '', last: 0 });
});

it('FL7 FL8 without its server a host starts, refuses commands at once and connects later', async () => {
  await using rig = await FleetRig.start();
  await rig.server.kill();
  const a = await rig.host('a');
  const seen: boolean[] = [];
  a.onConnection((isConnected) => seen.push(isConnected));
  expect([a.isConnected, a.problem]).toEqual([false, 'disconnected']);
  const refused = { code: 'host_unreachable' };
  await expect(a.position(A)).rejects.toMatchObject(refused);
  await expect(a.request(idOf('b'), SOCKET)).rejects.toMatchObject(refused);
  await expect(a.present(factsOf('a'))).rejects.toMatchObject(refused);
  await expect(a.claim('x', 'w')).rejects.toMatchObject(refused);
  await rig.server.resume();
  await until('connected', () => a.isConnected);
  await copy(a, [1]);
  await rig.server.kill();
  await until('lost', () => !a.isConnected);
  await expect(a.append(batchOf(2, 2), null)).rejects.toMatchObject(refused);
  await rig.server.resume();
  await until('connected again', () => a.isConnected);
  expect(await a.position(A)).toMatchObject({ last: 1 });
  expect(seen).toEqual([true, false, true]);
});

it('FL15 hosts hear of each other, with the age of what is known by the server alone', async () => {
  await using rig = await FleetRig.start();
  const a = await rig.host('a');
  await a.present(factsOf('a', { head: 1 }));
  const clock = new ManualClock(0);
  const b = await rig.host('b', { clock });
  const heard: [string, number, number][] = [];
  b.onPresence(({ id, head }, agoMs) => heard.push([id, head, agoMs]));
  await until('what is known', () => heard.length === 1);
  expect(heard[0]).toEqual([A, 1, expect.any(Number)]);
  // The clock of b shows 1970: an age by it would be negative or of decades.
  expect(heard[0]?.[2]).toBeLessThan(60 * 60 * 1000);
  await a.present(factsOf('a', { head: 2 }));
  await until('the news', () => heard.length === 2);
  expect(heard[1]).toEqual([A, 2, 0]);
  clock.advance(5_000);
  const later: number[] = [];
  b.onPresence((_, agoMs) => later.push(agoMs));
  expect(later).toEqual([5_000]);
});

it('FM4 a host that was removed is forgotten by those that know it and those that come later', async () => {
  await using rig = await FleetRig.start();
  const [a, b] = [await rig.host('a'), await rig.host('b')];
  await a.present(factsOf('a'));
  const heard: string[] = [];
  const listen = (host: NatsCarrier, name: string) =>
    host.onPresence(
      (facts) => heard.push(`${name} hears ${facts.name}`),
      (id) => heard.push(`${name} forgets ${id}`),
    );
  listen(b, 'b');
  await until('b knows a', () => heard.length === 1);
  await forgetHost(await rig.server.admin(), A);
  await until('b forgets a', () => heard.length === 2);
  const late = await rig.host('c');
  listen(late, 'c');
  await b.present(factsOf('b'));
  await until('c hears', () => heard.includes('c hears b'));
  expect(heard.slice(0, 2)).toEqual(['b hears a', `b forgets ${A}`]);
  expect(heard).not.toContain('c hears a');
});

it('FL14 what a host says of another one, or what is no facts, is not heard', async () => {
  await using rig = await FleetRig.start();
  const a = await rig.host('a');
  const heard: string[] = [];
  a.onPresence(({ id }) => heard.push(id));
  const js = jetstream(await rig.server.admin());
  await js.publish(`$KV.hosts.${idOf('b')}`, JSON.stringify(factsOf('c')));
  await js.publish(`$KV.hosts.${idOf('b')}`, '{');
  await js.publish(`$KV.hosts.${idOf('b')}`, 'x'.repeat(100_000));
  await a.present(factsOf('a'));
  await until('its own', () => heard.length === 1);
  expect(heard).toEqual([A]);
});

it('FL8 FL15 after the server was killed, hosts hear of each other again', async () => {
  await using rig = await FleetRig.start();
  const [a, b] = [await rig.host('a'), await rig.host('b')];
  const heard: number[] = [];
  b.onPresence(({ head }) => heard.push(head));
  await a.present(factsOf('a', { head: 1 }));
  await until('heard', () => heard.length === 1);
  await rig.server.kill();
  await until('both lost', () => !a.isConnected && !b.isConnected);
  await rig.server.resume();
  await until('both connected', () => a.isConnected && b.isConnected);
  await a.present(factsOf('a', { head: 2 }));
  await until('heard again', () => heard.includes(2));
});

it('FL16 shared work has one holder until exactly that claim is released', async () => {
  await using rig = await FleetRig.start();
  const [a, b] = [await rig.host('a'), await rig.host('b')];
  const key = 'git@example.com:team/repo.git fix login';
  const [one, other] = await Promise.all([a.claim(key, 'w'), b.claim(key, 'w')]);
  const claim = one ?? other;
  if (claim === null) throw new Error('no host has it');
  expect([one, other].filter((found) => found !== null)).toEqual([claim]);
  const [holder, loser] = one === null ? [b, a] : [a, b];
  expect(await holder.claim(key, 'w')).toEqual(claim);
  expect(await loser.claims()).toEqual([claim]);
  expect(await loser.release({ ...claim, revision: claim.revision + 1 })).toBe(false);
  // An admin may release what a dead host holds.
  expect(await loser.release(claim)).toBe(true);
  expect(await holder.release(claim)).toBe(false);
  expect(await holder.claims()).toEqual([]);
  const next = await loser.claim(key, 'w');
  expect(next?.revision).toBeGreaterThan(claim.revision);
  expect(await holder.claim(key, 'w')).toBeNull();
});

it('FL17 the newest answer of a host is kept, and none that is too large', async () => {
  await using rig = await FleetRig.start();
  const [a, b] = [await rig.host('a'), await rig.host('b')];
  expect(await b.copy(A, '/api/sessions')).toBeNull();
  await a.saveCopy('/api/sessions', Buffer.from('[1]'));
  await a.saveCopy('/api/sessions', Buffer.from('[2]'));
  await a.saveCopy('/api/tasks', Buffer.from('[]'));
  const found = await b.copy(A, '/api/sessions');
  expect(Buffer.from(found?.answer ?? []).toString()).toBe('[2]');
  expect(found?.atMs).toBeGreaterThan(Date.parse('2020-01-01'));
  expect(await b.copy(idOf('b'), '/api/sessions')).toBeNull();
  const noise = Buffer.from(Array.from({ length: 600 * 1024 }, () => Math.random() * 256));
  await a.saveCopy('/api/sessions', noise);
  expect(await b.copy(A, '/api/sessions')).toBeNull();
  expect(await b.copy(A, '/api/tasks')).not.toBeNull();
});

it('FL19 a fleet is prepared once; what is there stays', async () => {
  await using rig = await FleetRig.start();
  await copy(await rig.host('a'), [2]);
  const admin = await rig.server.admin();
  const jsm = await jetstreamManager(admin);
  await jsm.streams.delete('KV_claims');
  await provisionFleet(admin);
  const { config, state } = await jsm.streams.info('EV');
  expect(config).toMatchObject({ discard: 'old', storage: 'file', max_bytes: 2 * 1024 ** 3 });
  expect(config.max_age).toBe(7 * 24 * 60 * 60 * 1e9);
  expect(state.messages).toBe(1);
  const names = [];
  for await (const { config: stream } of jsm.streams.list()) {
    names.push(`${stream.name} ${stream.max_msgs_per_subject}`);
  }
  expect(names.sort()).toEqual([
    'EV -1',
    'KV_claims 1',
    'KV_copies 1',
    'KV_hosts 1',
    'KV_people 1',
  ]);
});
