/** A request that waits for its answer. */
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { World } from '../../support/daemon/world.ts';

export function testLongPoll(engine: TransportName): void {
  it('WI5 EV4 a long poll that times out answers with no events and the cursor to send next', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const { epoch, head } = (await api.get('/api/status')).body as { epoch: string; head: number };
    const { status, body } = await api.get(`/api/events?after=${epoch}:${head}&wait=1`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { epoch, head, next: head, events: [] },
    });
  });
}
