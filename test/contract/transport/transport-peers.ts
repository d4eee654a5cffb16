/** What every network engine must do alike with the WebSockets it holds, over real sockets. */
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { TransportRig } from '../../support/transport/transport-rig.ts';
import { until } from '../../support/house/until.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

export function testPeers(engine: TransportName): void {
  it('TR5 text and bytes arrive in order, as they were sent, both ways', async () => {
    await using rig = await TransportRig.listen(engine);
    const { client, seen } = await rig.connect();
    const texts = ['', 'a', 'ü'.repeat(60), 'x'.repeat(126), '漢'.repeat(20_000)];
    for (const text of texts) client.socket.send(text);
    client.socket.send(Buffer.from([0, 255, 1]));
    await until('all of it', () => seen.received.length === texts.length + 1);
    expect(seen.received.slice(0, -1)).toEqual(texts);
    expect(Buffer.from(seen.received.at(-1) as Uint8Array)).toEqual(Buffer.from([0, 255, 1]));
    seen.peer.send([...texts, 'y'.repeat(300 * KIB)]);
    seen.peer.sendBytes(Buffer.from('bytes'));
    seen.peer.send(['last']);
    await until('the last', () => client.got.at(-1) === 'last');
    expect(client.got).toEqual([...texts, 'y'.repeat(300 * KIB), 'bytes', 'last']);
  });

  it('TR5 published and direct messages arrive in one order, from joining to leaving', async () => {
    await using rig = await TransportRig.listen(engine);
    const { server } = rig;
    const [one, other] = [await rig.connect(), await rig.connect()];
    const { peer } = one.seen;
    other.seen.peer.join('topic');
    server.publish('topic', ['before']);
    peer.send(['alone 1']);
    peer.join('topic');
    peer.join('topic');
    server.publish('topic', ['all 1', 'all 2']);
    peer.send(['alone 2']);
    server.publish('topic', ['all 3']);
    server.publish('elsewhere', ['nobody']);
    peer.sendBytes(Buffer.from('alone 3'));
    server.publish('topic', ['all 4']);
    peer.leave('topic');
    server.publish('topic', ['after']);
    peer.send(['alone 4']);
    peer.join('topic');
    server.publish('topic', ['all 5']);
    for (const { seen } of [one, other]) seen.peer.send(['end']);
    await until('both ends', () => [one, other].every(({ client }) => client.got.at(-1) === 'end'));
    expect(one.client.got).toEqual([
      'alone 1',
      'all 1',
      'all 2',
      'alone 2',
      'all 3',
      'alone 3',
      'all 4',
      'alone 4',
      'all 5',
      'end',
    ]);
    expect(other.client.got).toEqual([
      'before',
      'all 1',
      'all 2',
      'all 3',
      'all 4',
      'after',
      'all 5',
      'end',
    ]);
  });

  it('TR5 a peer is in many topics, and a thousand frames of one tick all arrive', async () => {
    await using rig = await TransportRig.listen(engine);
    const { client, seen } = await rig.connect();
    for (let n = 0; n < 50; n += 1) seen.peer.join(`topic ${n}`);
    const sent = Array.from({ length: 1_000 }, (_, n) => `${n} ${'.'.repeat(n)}`);
    for (const [n, text] of sent.entries()) rig.server.publish(`topic ${n % 50}`, [text]);
    for (let n = 0; n < 50; n += 1) seen.peer.leave(`topic ${n}`);
    seen.peer.send(['end']);
    await until('the end', () => client.got.at(-1) === 'end');
    expect(client.got.slice(0, -1)).toEqual(sent);
  });

  it('TR6 bytes a peer has not taken count as buffered, and drained is reported once they are taken', async () => {
    await using rig = await TransportRig.listen(engine);
    const { client, seen } = await rig.connect();
    seen.peer.join('topic');
    expect(seen.peer.bufferedBytes).toBe(0);
    client.socket.pause();
    const frame = 'x'.repeat(64 * KIB);
    let sent = 0;
    await until('the kernel is full', async () => {
      if (sent % 2 === 0) seen.peer.send([frame]);
      else rig.server.publish('topic', [frame]);
      sent += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return seen.peer.bufferedBytes > MIB;
    });
    expect({ drains: seen.drains, buffered: seen.peer.bufferedBytes < 2 * MIB }).toEqual({
      drains: 0,
      buffered: true,
    });
    client.socket.resume();
    await until('all of it', () => client.got.length === sent);
    await until('the word', () => seen.drains > 0);
    expect(seen.peer.bufferedBytes).toBe(0);
  });

  it('TR7 TR17 a close from either side carries its code; the end is reported once', async () => {
    await using rig = await TransportRig.listen(engine);
    const [one, other] = [await rig.connect(), await rig.connect()];
    one.seen.peer.close(4008, 'slow_consumer');
    expect(await one.client.closed).toEqual({ code: 4008, reason: 'slow_consumer' });
    other.client.socket.close(4001, 'enough');
    expect((await other.client.closed).code).toBe(4001);
    await until('both ends', () => one.seen.ends + other.seen.ends === 2);
    const third = await rig.connect();
    third.client.socket.terminate();
    await until('the end', () => third.seen.ends === 1);
    expect([one.seen.ends, other.seen.ends]).toEqual([1, 1]);
  });

  it('TR17 the end is never reported within the call that closes', async () => {
    await using rig = await TransportRig.listen(engine);
    const { seen } = await rig.connect();
    seen.peer.close(1000, '');
    expect(seen.ends).toBe(0);
    await until('the end', () => seen.ends === 1);
  });

  it('TR7 what was sent before a close arrives before it', async () => {
    await using rig = await TransportRig.listen(engine);
    const { client, seen } = await rig.connect();
    seen.peer.join('topic');
    seen.peer.send(['first', 'x'.repeat(MIB)]);
    rig.server.publish('topic', ['published']);
    seen.peer.close(4009, 'now');
    seen.peer.send(['too late']);
    rig.server.publish('topic', ['too late']);
    expect((await client.closed).code).toBe(4009);
    expect(client.got).toEqual(['first', 'x'.repeat(MIB), 'published']);
  });

  it('TR17 a peer that has left can be used without harm', async () => {
    await using rig = await TransportRig.listen(engine);
    const { client, seen } = await rig.connect();
    const { peer } = seen;
    peer.join('topic');
    client.socket.terminate();
    await until('the end', () => seen.ends === 1);
    peer.send(['text']);
    peer.sendBytes(Buffer.from('bytes'));
    peer.join('other');
    rig.server.publish('topic', ['text']);
    peer.leave('topic');
    peer.leave('never joined');
    peer.close(1000, 'again');
    expect([peer.bufferedBytes < 100, seen.ends]).toEqual([true, 1]);
  });

  it('TR18 a reason longer than a close frame holds is refused', async () => {
    await using rig = await TransportRig.listen(engine);
    const { client, seen } = await rig.connect();
    expect(() => seen.peer.close(4000, 'ü'.repeat(62))).toThrow(RangeError);
    seen.peer.close(4000, 'x'.repeat(123));
    expect(await client.closed).toEqual({ code: 4000, reason: 'x'.repeat(123) });
  });

  it('TR18 a message of 64 KiB passes, in fragments too; one byte more closes with 1009', async () => {
    await using rig = await TransportRig.listen(engine);
    const whole = await rig.connect();
    whole.client.socket.send('x'.repeat(64 * KIB));
    whole.client.socket.send('y'.repeat(32 * KIB), { fin: false });
    whole.client.socket.send('y'.repeat(32 * KIB), { fin: true });
    await until('both', () => whole.seen.received.length === 2);
    whole.client.socket.send('x'.repeat(64 * KIB + 1));
    const parts = await rig.connect();
    parts.client.socket.send('y'.repeat(64 * KIB), { fin: false });
    parts.client.socket.send('y', { fin: true });
    const bytes = await rig.connect();
    bytes.client.socket.send(Buffer.alloc(512 * KIB));
    const codes = [];
    for (const { client } of [whole, parts, bytes]) codes.push((await client.closed).code);
    expect(codes).toEqual([1009, 1009, 1009]);
    expect([parts.seen.received, bytes.seen.received]).toEqual([[], []]);
  });

  it('TR20 a ping is answered', async () => {
    await using rig = await TransportRig.listen(engine);
    const { client } = await rig.connect();
    const pong = new Promise((resolve) => client.socket.once('pong', resolve));
    client.socket.ping('are you there');
    expect(String(await pong)).toBe('are you there');
  });

  it('UL4 a peer that leaves two pings unanswered is closed with 4009 at the third; one that answers stays', async () => {
    await using rig = await TransportRig.listen(engine, undefined, { pingIntervalMs: 100 });
    const mute = await rig.connect([], { autoPong: false });
    const answering = await rig.connect();
    const pings = { mute: 0, answering: 0 };
    mute.client.socket.on('ping', () => (pings.mute += 1));
    answering.client.socket.on('ping', () => (pings.answering += 1));
    expect(await mute.client.closed).toEqual({ code: 4009, reason: 'no_pong' });
    await until('the end', () => mute.seen.ends === 1);
    await until('more questions', () => pings.answering >= 6);
    expect([pings.mute >= 1, pings.mute <= 2, answering.seen.ends]).toEqual([true, true, 0]);
  });

  it('UL4 a peer that takes nothing any more is removed at the third ping without having closed', async () => {
    await using rig = await TransportRig.listen(engine, undefined, { pingIntervalMs: 100 });
    const { client, seen } = await rig.connect();
    client.socket.pause();
    await until('the end', () => seen.ends === 1);
    seen.peer.send(['nobody']);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    client.socket.resume();
    expect((await client.closed).code).toBe(4009);
  });
}
