/** What every network engine must do alike, over real sockets. Each engine registers this suite. */
import { expect, it } from 'vitest';
import type { TransportName } from '../../shared/transport-name.ts';
import { freePort } from '../support/free-port.ts';
import { type RawHeaders, sendRaw } from '../support/raw-http.ts';
import { TransportRig } from '../support/transport-rig.ts';
import { until } from '../support/until.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

const HANDSHAKE: RawHeaders = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
];

export function testTransport(engine: TransportName): void {
  it('TR2 the gate sees every line of a head before anything else is asked', async () => {
    await using rig = await TransportRig.listen(engine);
    rig.gate = () => Response.json({ no: 1 }, { status: 421, headers: { 'x-more': '1' } });
    const headers: RawHeaders = [
      ['Host', 'a'],
      ['Host', 'b'],
      ['X-Twice', '1'],
      ['X-Twice', '2'],
      ['Connection', 'close'],
    ];
    const answers = [
      await sendRaw(rig.url, { target: '/a%20b/?q=%2f&q', headers }),
      await sendRaw(rig.url, { target: '/ws', headers: [...headers.slice(0, 4), ...HANDSHAKE] }),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [421, '{"no":1}'],
      [421, '{"no":1}'],
    ]);
    expect(answers.map((answer) => answer.headers['x-more'])).toEqual(['1', '1']);
    expect(rig.asked).toEqual(['gate', 'gate']);
    const [plain, upgrade] = rig.heads;
    expect(plain).toMatchObject({
      method: 'GET',
      target: '/a%20b/?q=%2f&q',
      remoteAddress: '127.0.0.1',
    });
    for (const head of [plain, upgrade]) {
      const lines = head?.headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
      expect(lines?.slice(0, 4)).toEqual(['host: a', 'host: b', 'x-twice: 1', 'x-twice: 2']);
    }
  });

  it('TR3 a request comes with its method, address, headers and body', async () => {
    await using rig = await TransportRig.listen(engine);
    rig.fetch = async (request) => {
      const { method, url, headers } = request;
      return Response.json({ method, url, text: await request.text(), own: headers.get('x-own') });
    };
    const body = 'wörd'.repeat(10_000);
    const told = await fetch(`${rig.url}/a%20b?c=%C3%A4`, {
      method: 'PATCH',
      headers: { 'x-own': '1' },
      body,
    });
    expect(await told.json()).toEqual({
      method: 'PATCH',
      url: `${rig.url}/a%20b?c=%C3%A4`,
      text: body,
      own: '1',
    });
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect(await (await fetch(rig.url, { method })).json()).toMatchObject({ method, text: '' });
    }
  });

  it('TR3 HEAD and answers without a body end where they should', async () => {
    await using rig = await TransportRig.listen(engine);
    rig.fetch = async (request) => {
      const status = Number(new URL(request.url).searchParams.get('status'));
      return Promise.resolve(new Response(status === 200 ? 'body' : null, { status }));
    };
    const told = [];
    for (const [method, status] of [
      ['HEAD', 200],
      ['GET', 204],
      ['GET', 404],
      ['HEAD', 404],
    ] as const) {
      // On one connection each time: a wrong end would break the next answer.
      const answer = await fetch(`${rig.url}/?status=${status}`, { method });
      told.push([answer.status, await answer.text()]);
    }
    expect(told).toEqual([
      [200, ''],
      [204, ''],
      [404, ''],
      [404, ''],
    ]);
  });

  it.each([
    [
      'two lengths',
      [
        ['Content-Length', '3'],
        ['Content-Length', '4'],
      ],
      'abcd',
    ],
    ['no number for a length', [['Content-Length', 'x3']], 'abc'],
    [
      'a length and chunks',
      [
        ['Content-Length', '3'],
        ['Transfer-Encoding', 'chunked'],
      ],
      '0\r\n\r\n',
    ],
    ['an unknown coding', [['Transfer-Encoding', 'gzip']], 'abc'],
    ['a head of 20 KiB', [['X-Long', 'x'.repeat(20 * KIB)]], ''],
  ] as [string, RawHeaders, string][])(
    'TR3 %s is refused, and nothing behind it is taken for a request',
    async (_, lines, body) => {
      await using rig = await TransportRig.listen(engine);
      const post = async (text: string) =>
        sendRaw(rig.url, {
          method: 'POST',
          target: '/',
          headers: [['Host', '127.0.0.1'], ...lines],
          body: text,
        });
      expect([400, 431]).toContain((await post(body)).status);
      await post(`${body}GET /smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
      expect(rig.heads.map(({ target }) => target)).not.toContain('/smuggled');
    },
  );

  it('TR3 an answer is sent as it comes, no faster than it is taken', async () => {
    await using rig = await TransportRig.listen(engine);
    let pulls = 0;
    const chunk = Buffer.alloc(64 * KIB, 'x');
    rig.fetch = async () => {
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          pulls += 1;
          // Never all at once: it must be sent as a stream.
          await new Promise((resolve) => setImmediate(resolve));
          if (pulls > 800) controller.close();
          else controller.enqueue(chunk);
        },
      });
      return Promise.resolve(new Response(body));
    };
    const { body } = await fetch(rig.url);
    const reader = body?.getReader();
    await reader?.read();
    let before = -1;
    await until('it waits for its reader', async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const rests = pulls === before;
      before = pulls;
      return rests;
    });
    expect(pulls).toBeLessThan(400);
    let size = chunk.length;
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      size += read.value.length;
    }
    expect(size).toBeGreaterThanOrEqual(800 * chunk.length - MIB);
    expect(pulls).toBe(801);
  });

  it('TR3 a reader that goes ends the answer and the request', async () => {
    await using rig = await TransportRig.listen(engine);
    let isCancelled = false;
    let signal: AbortSignal | undefined;
    rig.fetch = async (request) => {
      signal = request.signal;
      const body = new ReadableStream(
        {
          pull: (controller) => controller.enqueue(Buffer.from('tick')),
          cancel: () => void (isCancelled = true),
        },
        { highWaterMark: 0 },
      );
      return Promise.resolve(new Response(body));
    };
    const away = new AbortController();
    const { body } = await fetch(rig.url, { signal: away.signal });
    await body?.getReader().read();
    away.abort();
    await until('the end', () => isCancelled && signal?.aborted === true);
  });

  it('TR3 a body that fails under way is never taken for a whole one', async () => {
    await using rig = await TransportRig.listen(engine);
    rig.fetch = async () => {
      let isFirst = true;
      const body = new ReadableStream({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          if (isFirst) controller.enqueue(Buffer.from('half'));
          else controller.error(new Error('no more'));
          isFirst = false;
        },
      });
      return Promise.resolve(new Response(body));
    };
    await expect(fetch(rig.url).then(async (answer) => answer.text())).rejects.toThrow();
  });

  it('TR4 an upgrade is answered 101 with the subprotocol alone, and no extension', async () => {
    await using rig = await TransportRig.listen(engine);
    const { client } = await rig.connect(['other', 'loopwatch.v1', 'ticket.x']);
    expect([client.socket.protocol, client.socket.extensions]).toEqual(['loopwatch.v1', '']);
    const plain = await rig.connect();
    expect(plain.client.socket.protocol).toBe('');
    expect(rig.asked).toEqual(['gate', 'upgrade', 'gate', 'upgrade']);
  });

  it('TR4 a refused upgrade is a plain answer, whole, and the connection closes', async () => {
    await using rig = await TransportRig.listen(engine);
    rig.refuseUpgrade = () => Response.json({ error: 'nö' }, { status: 401 });
    const headers: RawHeaders = [['Host', 'x'], ...HANDSHAKE];
    const { status, headers: got, body } = await sendRaw(rig.url, { target: '/ws', headers });
    expect({ status, body: Buffer.from(body, 'latin1').toString() }).toEqual({
      status: 401,
      body: '{"error":"nö"}',
    });
    expect(got).toMatchObject({ 'content-type': 'application/json', 'content-length': '15' });
    expect(rig.peers).toEqual([]);
  });

  it.each([
    ['no key', 'GET', HANDSHAKE.slice(0, 3)],
    [
      'another version',
      'GET',
      [...HANDSHAKE.slice(0, 2), ['Sec-WebSocket-Version', '7'], HANDSHAKE[3]],
    ],
    ['a wrong key', 'GET', [...HANDSHAKE.slice(0, 3), ['Sec-WebSocket-Key', 'abc']]],
    ['another method', 'POST', HANDSHAKE],
  ] as [string, string, RawHeaders][])(
    'TR4 a handshake with %s makes no peer',
    async (_, method, lines) => {
      await using rig = await TransportRig.listen(engine);
      const headers: RawHeaders = [['Host', 'x'], ...lines];
      const { status } = await sendRaw(rig.url, { method, target: '/ws', headers });
      expect([400, 405]).toContain(status);
      expect({ peers: rig.peers, fetched: rig.asked.includes('fetch') }).toEqual({
        peers: [],
        fetched: false,
      });
    },
  );

  it('TR5 text and bytes arrive in order, as they were sent, both ways', async () => {
    await using rig = await TransportRig.listen(engine);
    const { client, seen } = await rig.connect();
    const texts = ['', 'a', 'ü'.repeat(60), 'x'.repeat(126), '漢'.repeat(20_000)];
    for (const text of texts) client.socket.send(text);
    client.socket.send(Buffer.from([0, 255, 1]));
    await until('all of it', () => seen.told.length === texts.length + 1);
    expect(seen.told.slice(0, -1)).toEqual(texts);
    expect(Buffer.from(seen.told.at(-1) as Uint8Array)).toEqual(Buffer.from([0, 255, 1]));
    seen.peer.send([...texts, 'y'.repeat(300 * KIB)]);
    seen.peer.sendBytes(Buffer.from('bytes'));
    seen.peer.send(['last']);
    await until('the last', () => client.got.at(-1) === 'last');
    expect(client.got).toEqual([...texts, 'y'.repeat(300 * KIB), 'bytes', 'last']);
  });

  it('TR5 what is published comes in order with what is sent alone, from joining to leaving', async () => {
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
      ...['alone 1', 'all 1', 'all 2', 'alone 2', 'all 3', 'alone 3', 'all 4', 'alone 4', 'all 5'],
      'end',
    ]);
    expect(other.client.got).toEqual([
      ...['before', 'all 1', 'all 2', 'all 3', 'all 4', 'after', 'all 5', 'end'],
    ]);
  });

  it('TR5 a peer is in many topics, and a thousand frames of one turn all arrive', async () => {
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

  it('TR6 what a peer does not take counts as buffered, and drained is told when it is taken', async () => {
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

  it('TR7 a close from here and one from there carry their codes; the end is told once', async () => {
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

  it('TR7 the end is never told within the call that closes', async () => {
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

  it('TR7 a peer that has gone can be used without harm', async () => {
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

  it('TR7 a reason longer than a close frame holds is refused', async () => {
    await using rig = await TransportRig.listen(engine);
    const { client, seen } = await rig.connect();
    expect(() => seen.peer.close(4000, 'ü'.repeat(62))).toThrow(RangeError);
    seen.peer.close(4000, 'x'.repeat(123));
    expect(await client.closed).toEqual({ code: 4000, reason: 'x'.repeat(123) });
  });

  it('TR7 a message of 64 KiB passes, in fragments too; one byte more closes with 1009', async () => {
    await using rig = await TransportRig.listen(engine);
    const whole = await rig.connect();
    whole.client.socket.send('x'.repeat(64 * KIB));
    whole.client.socket.send('y'.repeat(32 * KIB), { fin: false });
    whole.client.socket.send('y'.repeat(32 * KIB), { fin: true });
    await until('both', () => whole.seen.told.length === 2);
    whole.client.socket.send('x'.repeat(64 * KIB + 1));
    const parts = await rig.connect();
    parts.client.socket.send('y'.repeat(64 * KIB), { fin: false });
    parts.client.socket.send('y', { fin: true });
    const bytes = await rig.connect();
    bytes.client.socket.send(Buffer.alloc(512 * KIB));
    const codes = [];
    for (const { client } of [whole, parts, bytes]) codes.push((await client.closed).code);
    expect(codes).toEqual([1009, 1009, 1009]);
    expect([parts.seen.told, bytes.seen.told]).toEqual([[], []]);
  });

  it('TR7 a ping is answered', async () => {
    await using rig = await TransportRig.listen(engine);
    const { client } = await rig.connect();
    const pong = new Promise((resolve) => client.socket.once('pong', resolve));
    client.socket.ping('are you there');
    expect(String(await pong)).toBe('are you there');
  });

  it('TR8 closing tells every peer and lets go of the port and of every connection', async () => {
    const port = await freePort();
    await using rig = await TransportRig.listen(engine, { host: '127.0.0.1', port });
    rig.fetch = async () => new Promise<Response>(() => undefined);
    const clients = [await rig.connect(), await rig.connect()];
    const stalled = await rig.connect();
    stalled.client.socket.pause();
    stalled.seen.peer.send(['x'.repeat(8 * MIB)]);
    const hanging = fetch(rig.url).catch((error: unknown) => error);
    await until('the request', () => rig.asked.includes('fetch'));
    const begun = performance.now();
    await rig.server.close(4012, 'restart');
    expect(performance.now() - begun).toBeLessThan(5_000);
    for (const { client } of clients) {
      expect(await client.closed).toEqual({ code: 4012, reason: 'restart' });
    }
    expect(await hanging).toBeInstanceOf(Error);
    await until('all ends', () => rig.peers.every(({ ends }) => ends === 1));
    await using again = await TransportRig.listen(engine, { host: '127.0.0.1', port });
    expect(again.server.port).toBe(port);
  });

  it('TR9 a port that is taken is refused with the code of the system', async () => {
    await using rig = await TransportRig.listen(engine);
    const { port } = rig.server;
    await expect(TransportRig.listen(engine, { host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await expect(TransportRig.listen(engine, { host: '192.0.2.1', port: 0 })).rejects.toMatchObject(
      { code: 'EADDRNOTAVAIL' },
    );
  });

  it('TR9 listens on IPv6 too, and names the other side as the system does', async () => {
    await using rig = await TransportRig.listen(engine, { host: '::1', port: 0 });
    const answer = await fetch(`http://[::1]:${rig.server.port}/`);
    expect([await answer.text(), rig.heads[0]?.remoteAddress]).toEqual(['ok', '::1']);
  });
}
