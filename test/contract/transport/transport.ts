/** What every network engine must do alike with requests and upgrades, over real sockets. */
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { ticks } from '../../support/events/exchange-plan.ts';
import type { Gaps } from '../../support/transport/on-engine.ts';
import { type RawHeaders, sendRaw } from '../../support/transport/raw-http.ts';
import { TransportRig } from '../../support/transport/transport-rig.ts';
import { until } from '../../support/house/until.ts';

const KIB = 1024;

const HANDSHAKE: RawHeaders = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
];

export function testTransport(engine: TransportName, { noHost, pipelining }: Gaps): void {
  const hostless = noHost === 'refused' ? 'is refused by the engine itself' : 'comes to the gate';
  it(`TR2 a request without a Host ${hostless}`, async () => {
    await using rig = await TransportRig.listen(engine);
    rig.gate = () => new Response(null, { status: 421 });
    const headers: RawHeaders = [['Connection', 'close']];
    const { status } = await sendRaw(rig.url, { target: '/', headers });
    expect([status, rig.asked]).toEqual(noHost === 'refused' ? [400, []] : [421, ['gate']]);
  });

  it('TR2 the gate sees every line of a head before anything else', async () => {
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
    const answer = await fetch(`${rig.url}/a%20b?c=%C3%A4`, {
      method: 'PATCH',
      headers: { 'x-own': '1' },
      body,
    });
    expect(await answer.json()).toEqual({
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
    const answers = [];
    for (const [method, status] of [
      ['HEAD', 200],
      ['GET', 204],
      ['GET', 404],
      ['HEAD', 404],
    ] as const) {
      // On one connection each time: a wrong end would break the next answer.
      const answer = await fetch(`${rig.url}/?status=${status}`, { method });
      answers.push([answer.status, await answer.text()]);
    }
    expect(answers).toEqual([
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
    'TR16 %s is refused, and nothing after it is treated as a request',
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

  it('TR10 an interim answer never appears inside another answer', async () => {
    await using rig = await TransportRig.listen(engine);
    let answerFirst: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (answerFirst = resolve));
    rig.fetch = async () => first.then(() => new Response('first'));
    rig.gate = ({ target }) =>
      target === '/second' ? new Response(Buffer.from('second'), { status: 403 }) : null;
    const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
    const { hostname, port } = new URL(rig.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString('latin1')));
    let isClosed = false;
    socket.on('close', () => (isClosed = true));
    socket.write(`${head('/first')}Content-Length: 0\r\n\r\n`);
    socket.write(`${head('/second')}Expect: 100-continue\r\nContent-Length: 1\r\n\r\nx`);
    await until('the first request', () => rig.heads.length > 0);
    // A second answer could be there first, and wait.
    await ticks(50);
    answerFirst();
    await until('the answers', () => text.endsWith('second') || isClosed);
    socket.destroy();
    // An engine that takes no second request before the first answer ends the connection.
    const bodyOf = (status: string) =>
      text.split(`HTTP/1.1 ${status} `)[1]?.split('\r\n\r\n')[1]?.split('HTTP/1.1')[0];
    expect([bodyOf('200'), bodyOf('403')]).toEqual(
      pipelining === 'cut' ? [undefined, undefined] : ['first', 'second'],
    );
  });

  it('TR22 an upgrade is answered 101 with only the subprotocol, and no extension', async () => {
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

  it('TR4 a refused upgrade ends for a client that keeps its side open, too', async () => {
    await using rig = await TransportRig.listen(engine);
    rig.refuseUpgrade = () => new Response('no', { status: 401 });
    const { hostname, port } = new URL(rig.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let isCut = false;
    socket.on('error', () => (isCut = true));
    socket.on('data', () => undefined);
    const lines = HANDSHAKE.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`GET /ws HTTP/1.1\r\nHost: x\r\n${lines}\r\n`);
    await until('the server lets go of the socket', () => {
      if (!isCut) socket.write('x');
      return isCut;
    });
    socket.destroy();
  });
}
