/** How every network engine must read the lines of a head, over real sockets. */
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { type RawHeaders, sendRaw } from '../../support/transport/raw-http.ts';
import { TransportRig } from '../../support/transport/transport-rig.ts';

const HANDSHAKE: RawHeaders = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
];

export function testHeads(engine: TransportName): void {
  it.each([
    ['HEAD', 200],
    ['HEAD', 204],
    ['GET', 204],
    ['DELETE', 204],
    ['GET', 304],
  ])('TR11 %s that is answered with %i closes its connection', async (method, status) => {
    await using rig = await TransportRig.listen(engine);
    rig.fetch = async () =>
      Promise.resolve(new Response(status === 200 ? 'words' : null, { status }));
    const headers: RawHeaders = [
      ['Host', 'x'],
      ['Connection', 'close'],
    ];
    // Read until the server closes.
    const answer = await sendRaw(rig.url, { method, target: '/', headers });
    expect([answer.status, answer.body]).toEqual([status, '']);
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
    'TR4 TR12 a handshake with %s makes no peer',
    async (_, method, lines) => {
      await using rig = await TransportRig.listen(engine);
      const headers: RawHeaders = [['Host', 'x'], ...lines];
      const { status, body } = await sendRaw(rig.url, { method, target: '/ws', headers });
      expect([400, 426]).toContain(status);
      expect(body).toMatch(/^Not a valid WebSocket handshake; it requires .+\.\n$/);
      expect({ peers: rig.peers, fetched: rig.asked.includes('fetch') }).toEqual({
        peers: [],
        fetched: false,
      });
    },
  );
}
