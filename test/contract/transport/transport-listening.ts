/** What every network engine must do alike from listening to closing. */
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { freePort } from '../../stress/free-port.ts';
import { TransportRig } from '../../support/transport/transport-rig.ts';
import { until } from '../../support/house/until.ts';

const MIB = 1024 * 1024;

export function testListening(engine: TransportName): void {
  it('TR8 closing notifies every peer and releases the port and every connection', async () => {
    const port = await freePort();
    await using rig = await TransportRig.listen(engine, { host: '127.0.0.1', port });
    rig.fetch = async () => new Promise<Response>(() => undefined);
    const clients = [await rig.connect(), await rig.connect()];
    const stalled = await rig.connect();
    stalled.client.socket.pause();
    stalled.seen.peer.send(['x'.repeat(8 * MIB)]);
    const hanging = fetch(rig.url).catch((error: unknown) => error);
    await until('the request', () => rig.asked.includes('fetch'));
    await rig.server.close(4012, 'restart');
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

  it('TR21 listens on IPv6 too, and names the other side as the system does', async () => {
    await using rig = await TransportRig.listen(engine, { host: '::1', port: 0 });
    const answer = await fetch(`http://[::1]:${rig.server.port}/`);
    expect([await answer.text(), rig.heads[0]?.remoteAddress]).toEqual(['ok', '::1']);
  });
}
