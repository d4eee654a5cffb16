/** What one WebSocket may send before it is cut, and that the others do not notice. */
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import type { Gaps } from '../../support/transport/on-engine.ts';
import { openRaw } from '../../support/transport/raw-http.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

const KIB = 1024;

export function testFrameLimits(engine: TransportName, { brokenFrame }: Gaps): void {
  const isCut = brokenFrame === 'cut';
  const end = (code: number) => (isCut ? 'is cut without a close frame' : `closes with ${code}`);

  it('TR18 a frame of 64 KiB is read, one byte more closes with 1009', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    await using client = await WsClient.connect(api);
    client.socket.send(' '.repeat(64 * KIB));
    expect(await client.next('error')).toMatchObject({ code: 'invalid_frame' });
    client.socket.send(' '.repeat(64 * KIB + 1));
    expect((await client.closed).code).toBe(1009);
  });

  it('LT6 a binary frame without an attachment gets an error frame', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    await using client = await WsClient.connect(api);
    client.socket.send(Buffer.from('{"type":"ping"}'));
    expect(await client.next('error')).toMatchObject({ code: 'not_attached' });
  });

  it('WI12 each invalid frame gets an error frame, and the tenth closes with 4400', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    await using client = await WsClient.connect(api);
    const bad = [
      '{',
      '5',
      'null',
      '[]',
      '{}',
      '{"type":"nothing"}',
      '{"type":"ping","extra":1}',
      '{"type":"ack","seq":-1}',
      '{"type":"__proto__"}',
      '{"type":"subscribe","id":1,"types":[]}',
    ];
    for (const text of bad) client.socket.send(text);
    const codes: string[] = [];
    while (codes.length < bad.length) codes.push((await client.next('error')).code);
    expect({ codes, closed: (await client.closed).code }).toEqual({
      codes: bad.map(() => 'invalid_frame'),
      closed: 4400,
    });
  });

  it('WI8 a session that no longer exists is named and never counts against the peer', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    await using client = await WsClient.connect(api);
    const names = Array.from({ length: 20 }, (_, n) => `gone-${n}`);
    for (const session of names) client.send({ type: 'watch', session });
    for (const session of names) {
      expect(await client.next('error')).toMatchObject({ code: 'session_unknown', session });
    }
    client.send({ type: 'attach', session: 'gone', cols: 80, rows: 24 });
    expect(await client.next('error')).toMatchObject({ code: 'session_unknown', session: 'gone' });
    client.send({ type: 'ping' });
    expect(await client.next('pong')).toEqual({ type: 'pong' });
  });

  it('WI12 an error frame repeats only a little of what was sent', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    await using client = await WsClient.connect(api);
    client.send({ type: 'subscribe', id: 1, types: ['x'.repeat(64)] });
    const unknown = await client.next('error');
    client.send({ type: 'y'.repeat(50 * KIB) });
    const invalid = await client.next('error');
    expect([unknown.code, unknown.message.length < 200, invalid.message.length <= 500]).toEqual([
      'unknown_type',
      true,
      true,
    ]);
  });

  it('WI12 a flood is cut with 4400 while another client is served', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    await using other = await WsClient.connect(api);
    await using client = await WsClient.connect(api);
    for (let count = 0; count < 1_000; count += 1) client.send({ type: 'ping' });
    expect((await client.closed).code).toBe(4400);
    other.send({ type: 'ping' });
    expect(await other.next('pong')).toEqual({ type: 'pong' });
  });

  it.each([
    ['a compressed frame', [0xc1, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]],
    ['a reserved opcode', [0x83, 0x80, 0, 0, 0, 0]],
  ])(`TR19 %s ${end(1002)}`, async (_, bytes) => {
    expect(await endAfter(engine, bytes)).toBe(isCut ? 'cut' : 1002);
  });

  // The other engine takes the text for half a mask: it disconnects at the broken bytes that follow.
  it(`TR19 an unmasked frame ${end(1002)}`, async () => {
    const [unmasked, rest] = [
      [0x81, 0x02, 0x7b, 0x7d],
      [0, 0, 0, 0],
    ];
    const broken = [0x83, 0x80, 0, 0, 0, 0];
    expect(await endAfter(engine, [...unmasked, ...rest, ...broken])).toBe(isCut ? 'cut' : 1002);
  });

  it(`TR19 a text frame that is not UTF-8 ${end(1007)}`, async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    await using client = await WsClient.connect(api);
    client.socket.send(Buffer.from([0x7b, 0xff, 0x7d]), { binary: false });
    expect((await client.closed).code).toBe(isCut ? 1006 : 1007);
  });
}

/** Sends the bytes after a handshake that asks for compression; returns the close code. */
async function endAfter(engine: TransportName, bytes: number[]): Promise<number | 'cut'> {
  await using world = new World({ LOOPWATCH_TRANSPORT: engine });
  const { api } = await world.start();
  const socket = openRaw(api.url, {
    target: '/ws',
    headers: [
      ['Host', new URL(api.url).host],
      ['Authorization', `Bearer ${api.token}`],
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
      ['Sec-WebSocket-Version', '13'],
      ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ['Sec-WebSocket-Extensions', 'permessage-deflate'],
    ],
  });
  const received: Buffer[] = [];
  socket.on('data', (data) => {
    if (received.length === 0) socket.write(Buffer.from(bytes));
    received.push(data);
  });
  await new Promise((resolve) => socket.once('close', resolve));
  const all = Buffer.concat(received);
  const at = all.lastIndexOf(Buffer.from([0x88, 0x02]));
  expect(all.toString('latin1').toLowerCase()).not.toContain('permessage-deflate');
  return at === -1 ? 'cut' : all.readUInt16BE(at + 2);
}
