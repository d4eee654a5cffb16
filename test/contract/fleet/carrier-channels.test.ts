/** Channels between the hosts of a fleet, on a real NATS server. */
import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import type { Channel, ChannelHead } from '../../../server/fleet/carrier.ts';
import type { NatsCarrier } from '../../../server/fleet/nats/nats-carrier.ts';
import { CutProxy } from '../../support/browser/cut-proxy.ts';
import {
  factsOf,
  FleetRig,
  idOf,
  record,
  type Recorded,
  SOCKET,
} from '../../support/fleet/fleet-rig.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { seeded } from '../../support/house/random.ts';
import { until } from '../../support/house/until.ts';

const B = idOf('b');
const UNREACHABLE = { code: 'host_unreachable' };

/** Channels that a host accepted, by their target. */
async function serve(carrier: NatsCarrier, rig: FleetRig) {
  const accepted: { head: ChannelHead; channel: Channel }[] = [];
  carrier.serve((head, channel) => accepted.push({ head, channel }));
  // The server knows it after an answer on that connection.
  await carrier.position(B);
  return { rig, accepted };
}

/** A channel from a to b, recorded at both ends. */
async function openPair(a: NatsCarrier, accepted: { channel: Channel }[]) {
  const count = accepted.length;
  const near = record(await a.request(B, SOCKET));
  const far = await until('accepted', () => accepted[count]);
  return { near, far: record(far.channel) };
}

it('FL10 messages go both ways in order, texts and bytes, also long ones', async () => {
  await seeded(async (random) => {
    await using rig = await FleetRig.start();
    const [a, b] = [await rig.host('a'), await rig.host('b')];
    const { accepted } = await serve(b, rig);
    const { near, far } = await openPair(a, accepted);
    expect(accepted[0]?.head).toEqual(SOCKET);
    expect([near.channel.host, far.channel.host]).toEqual([B, idOf('a')]);
    const texts = Array.from({ length: 60 }, (_, n) => `${'ä€😀'.repeat(random.int(0, 3))}${n}`);
    texts.push('ö'.repeat(700_000), '');
    const bytes = Buffer.from(Array.from({ length: 300_000 }, () => random.int(0, 255)));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      for (const text of texts) from.channel.sendText(text);
      from.channel.sendBytes(bytes);
      from.channel.sendBytes(new Uint8Array(0));
      await until(
        'all arrived',
        () => to.bytes.length === 2,
        () => to.texts.length,
      );
      expect(to.texts).toEqual(texts);
      expect(Buffer.compare(to.bytes[0] ?? bytes.subarray(1), bytes)).toBe(0);
    }
    far.channel.sendText('last');
    far.channel.close(1000, 'done');
    await until('closed', () => near.closed);
    expect(near.texts.at(-1)).toBe('last');
    expect([near.closed, far.closed]).toEqual(Array(2).fill({ code: 1000, reason: 'done' }));
  });
});

it('FL11 a slow end holds the sender back, and what came before its handler comes first', async () => {
  await using rig = await FleetRig.start();
  const [a, b] = [await rig.host('a'), await rig.host('b')];
  const { accepted } = await serve(b, rig);
  const near = record(await a.request(B, SOCKET));
  for (let n = 0; n < 10; n += 1) near.channel.sendBytes(new Uint8Array(60_000).fill(n));
  near.channel.sendText('end');
  near.channel.close(1000, 'done');
  expect(near.channel.queuedBytes).toBe(6 * 60_000 + 3);
  const { channel } = await until('accepted', () => accepted[0]);
  await b.position(B);
  expect([near.channel.queuedBytes, near.drained, near.closed]).toEqual([360_003, 0, null]);
  const far = record(channel);
  await until('all arrived', () => far.closed);
  expect(far.bytes.map((data) => [data[0], data.length])).toEqual(
    Array.from({ length: 10 }, (_, n) => [n, 60_000]),
  );
  expect([far.texts, far.closed?.code]).toEqual([['end'], 1000]);
  expect([near.channel.queuedBytes, near.closed?.code]).toEqual([0, 1000]);
});

it('FL11 the sender hears when nothing waits any more', async () => {
  await using rig = await FleetRig.start();
  const [a, b] = [await rig.host('a'), await rig.host('b')];
  const { near } = await openPair(a, (await serve(b, rig)).accepted);
  near.channel.sendText('short');
  expect(near.drained).toBe(0);
  near.channel.sendBytes(new Uint8Array(900_000));
  expect(near.channel.queuedBytes).toBeGreaterThan(600_000);
  await until('drained', () => near.drained === 1);
  expect(near.channel.queuedBytes).toBe(0);
});

it('FL9 a host that does not serve is unreachable at once, a silent one after five seconds', async () => {
  await using rig = await FleetRig.start();
  const clock = new ManualClock();
  const a = await rig.host('a', { clock });
  // Nothing moves the clock: no time-out plays a part.
  await expect(a.request(B, SOCKET)).rejects.toMatchObject(UNREACHABLE);
  const admin = await rig.server.admin();
  let asked = 0;
  admin.subscribe(`cmd.${B}.open`, { callback: () => void (asked += 1) });
  await admin.flush();
  const silent = expect(a.request(B, SOCKET)).rejects.toMatchObject(UNREACHABLE);
  await until('asked', () => asked === 1);
  clock.advance(5_000);
  await silent;
});

it('FL9 a request that its host took with it is asked again of the next life of it, and fails at once with the connection', async () => {
  await using rig = await FleetRig.start();
  await using proxy = await CutProxy.listen(() => rig.server.port);
  // Nothing moves the clock: no time-out plays a part.
  const a = await rig.host('a', { url: proxy.url, clock: new ManualClock() });
  const admin = await rig.server.admin();
  let taken = 0;
  const dying = admin.subscribe(`cmd.${B}.open`, { callback: () => void (taken += 1) });
  await admin.flush();
  const asked = a.request(B, SOCKET);
  await until('taken', () => taken === 1);
  dying.unsubscribe();
  await admin.flush();
  const b = await rig.host('b');
  const { accepted } = await serve(b, rig);
  await b.present(factsOf('b'));
  const near = record(await asked);
  await until('accepted', () => accepted.length === 1);

  admin.subscribe(`cmd.${idOf('c')}.open`, { callback: () => void (taken += 1) });
  await admin.flush();
  const unanswered = expect(a.request(idOf('c'), SOCKET)).rejects.toMatchObject(UNREACHABLE);
  await until('taken', () => taken === 2);
  proxy.cut();
  await unanswered;
  expect(near.closed).toMatchObject({ code: 1001 });
});

it('FL12 all channels close when a host loses its connection, at both ends', async () => {
  await using rig = await FleetRig.start();
  await using proxy = await CutProxy.listen(() => rig.server.port);
  const [a, b] = [await rig.host('a', { url: proxy.url }), await rig.host('b')];
  const { near, far } = await openPair(a, (await serve(b, rig)).accepted);
  proxy.cut();
  await until('closed here', () => near.closed);
  // The host that was cut off says so when it is back.
  await until('closed there', () => far.closed);
  expect([near.closed?.code, far.closed?.code]).toEqual([1001, 1001]);
  near.channel.sendText('late');
  await until('connected again', () => a.isConnected);
  await a.position(B);
  expect(far.texts).toEqual([]);
});

it('FL12 an end that waits for what was lost on the way hears of it, though the other end is closed', async () => {
  await using rig = await FleetRig.start();
  await using proxy = await CutProxy.listen(() => rig.server.port);
  // Nothing moves the clock: no time-out plays a part.
  const a = await rig.host('a', { clock: new ManualClock() });
  const b = await rig.host('b', { url: proxy.url });
  const { near, far } = await openPair(a, (await serve(b, rig)).accepted);
  proxy.hold();
  far.channel.sendText('an answer');
  far.channel.close(1000, '');
  expect(far.closed).toMatchObject({ code: 1000 });
  proxy.cut();
  proxy.release();
  await until('closed', () => near.closed);
  expect([near.closed?.code, near.texts]).toEqual([1001, []]);
});

it('FL12 a host that was cut off is noticed with the next message to it', async () => {
  await using rig = await FleetRig.start();
  await using proxy = await CutProxy.listen(() => rig.server.port);
  const [a, b] = [await rig.host('a'), await rig.host('b', { url: proxy.url })];
  const { near, far } = await openPair(a, (await serve(b, rig)).accepted);
  proxy.isCut = true;
  proxy.cut();
  await until('closed there', () => far.closed);
  // The server may not have noticed when the first one comes.
  await until('closed', () => {
    near.channel.sendText('hello');
    return near.closed;
  });
  expect(near.closed?.code).toBe(1001);
});

it('FL12 a host that leaves the fleet closes its channels', async () => {
  await using rig = await FleetRig.start();
  const [a, b] = [await rig.host('a'), await rig.host('b')];
  const { near, far } = await openPair(a, (await serve(b, rig)).accepted);
  await b.close();
  await until('closed', () => near.closed);
  expect([near.closed?.code, far.closed?.code]).toEqual([1001, 1001]);
});

it('FL12 channels close when the other host was restarted or is silent for 30 s', async () => {
  await using rig = await FleetRig.start();
  const clock = new ManualClock();
  const [a, b] = [await rig.host('a', { clock }), await rig.host('b')];
  const { accepted } = await serve(b, rig);
  let heard = 0;
  a.onPresence(() => (heard += 1));
  const present = async (instance: string) => {
    const before = heard;
    await b.present(factsOf('b', { instance }));
    await until('heard', () => heard > before);
  };
  await present('b-1');
  const { near, far } = await openPair(a, accepted);
  clock.advance(20_000);
  await present('b-1');
  clock.advance(20_000);
  expect(near.closed).toBeNull();
  clock.advance(10_000);
  expect(near.closed).toMatchObject({ code: 1001 });
  // It was only not heard: what it sent and waits for is over there as well.
  await until('closed there', () => far.closed);
  const second = await openPair(a, accepted);
  await present('b-2');
  expect(second.near.closed).toMatchObject({ code: 1001 });
});

it('FL13 at most 256 channels to a host, and heads of at most 16 KB', async () => {
  await using rig = await FleetRig.start();
  const [a, b] = [await rig.host('a'), await rig.host('b')];
  const { accepted } = await serve(b, rig);
  const channels = await Promise.all(Array.from({ length: 256 }, async () => a.request(B, SOCKET)));
  await expect(a.request(B, SOCKET)).rejects.toMatchObject(UNREACHABLE);
  await until('all accepted', () => accepted.length === 256);
  for (const channel of channels) channel.close(1000, '');
  const long = { ...SOCKET, target: `/${'x'.repeat(17 * 1024)}` };
  await expect(a.request(B, long)).rejects.toMatchObject({ code: 'payload_too_large' });
  const odd = { ...SOCKET, headers: [['x', 'a\r\nb']] as const };
  await expect(a.request(B, odd)).rejects.toMatchObject({ code: 'invalid_query' });
  await until('there is room again', async () =>
    a.request(B, SOCKET).then(
      () => true,
      () => false,
    ),
  );
});

/** What a hostile host sends by hand: its opening, and frames to the end it was given. */
async function openByHand(admin: NatsConnection, change: Record<string, unknown> = {}) {
  const opening = {
    from: idOf('evil'),
    instance: 'evil-1',
    channel: 'e'.repeat(32),
    head: SOCKET,
    ...change,
  };
  const reply = createInbox(`_INBOX.${opening.from}`);
  return admin.request(`cmd.${B}.open`, JSON.stringify(opening), {
    timeout: 10_000,
    noMux: true,
    reply,
  });
}

function frame(kind: number, number: number, text = ''): Uint8Array {
  return Buffer.from([kind, 0, 0, 0, number, ...Buffer.from(text)]);
}

it.each<[string, Uint8Array[], string[]]>([
  ['a lost frame', [frame(0, 0), frame(1, 1, 'one'), frame(1, 3, 'three')], ['one']],
  ['a frame sent twice', [frame(0, 0), frame(1, 1, 'one'), frame(1, 1, 'one')], ['one']],
  ['no frame', [frame(0, 0), Buffer.from([9, 9])], []],
  [
    'more than the window',
    [frame(0, 0), ...Array.from({ length: 5 }, (_, n) => frame(4, n + 1, 'x'.repeat(100_000)))],
    [],
  ],
  ['credit for nothing', [frame(0, 0), frame(5, 1, '\0\0\0\u0001')], []],
  ['a close with a wrong code', [frame(0, 0), frame(6, 1, 'xx')], []],
])('FL10 FL14 %s closes the channel', async (what, frames, texts) => {
  await using rig = await FleetRig.start();
  const b = await rig.host('b');
  const { accepted } = await serve(b, rig);
  const admin = await rig.server.admin();
  const answer = JSON.parse((await openByHand(admin)).string()) as { channel: string };
  for (const data of frames) admin.publish(`ch.${B}.${answer.channel}`, data);
  const { channel } = await until('accepted', () => accepted[0]);
  if (what === 'more than the window') {
    // Without a handler nothing is taken, and the window fills: the answer arrives behind the frames.
    await admin.flush();
    await b.claims();
  }
  const far: Recorded = record(channel);
  await until('closed', () => far.closed);
  expect([far.closed?.code, far.texts]).toEqual([1002, texts]);
});

it('FL14 a channel in the name of another host never begins', async () => {
  await using rig = await FleetRig.start();
  const clock = new ManualClock();
  const b = await rig.host('b', { clock });
  const { accepted } = await serve(b, rig);
  const admin = await rig.server.admin();
  const elsewhere: string[] = [];
  admin.subscribe('>', { callback: (_, { subject }) => void elsewhere.push(subject) });
  const opening = { from: idOf('c'), instance: 'c-1', channel: 'c'.repeat(32), head: SOCKET };
  // The answer goes to that host, never to a subject that the request chose.
  admin.publish(`cmd.${B}.open`, JSON.stringify(opening), { reply: `$KV.hosts.${B}` });
  admin.publish(`cmd.${B}.open`, JSON.stringify(opening), { reply: `_INBOX.${idOf('c')}.x` });
  await until('answered', () => elsewhere.includes(`_INBOX.${idOf('c')}.x`));
  expect(elsewhere.filter((subject) => subject.startsWith('$KV'))).toEqual([]);
  for (const bad of ['{', '{}', JSON.stringify({ ...opening, from: 'a.b' }), 'x'.repeat(50_000)]) {
    admin.publish(`cmd.${B}.open`, bad, { reply: `_INBOX.${idOf('c')}.y` });
  }
  admin.publish(`ch.${B}.${'0'.repeat(32)}`, frame(0, 0), { reply: `$KV.hosts.${B}` });
  await admin.flush();
  await b.position(B);
  expect(accepted).toEqual([]);
  expect(elsewhere.filter((subject) => /\$KV|\.y$/.test(subject))).toEqual([]);
  const timers = clock.pending;
  clock.advance(10_000);
  expect(clock.pending).toBe(timers - 1);
});
