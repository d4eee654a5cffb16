/** Clients that do not keep up, on a whole daemon: cut, and nothing lost when they reconnect. */
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { seqOf } from '../../support/events/event-consumer.ts';
import { EventHome, fill } from '../../support/events/event-home.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { openWsConsumer } from '../../support/events/open-ws-consumer.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

export function testSlowClient(engine: TransportName): void {
  it('EV8 EV18 a client that stops acknowledging is cut with 4008 after 30 s and resumes without loss', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const clock = new ManualClock(Date.now());
    using home = new EventHome(world.home);
    fill(home.open({}, clock).log, 12_000);
    home[Symbol.dispose]();
    const { api } = await world.start(clock);
    await using client = await WsClient.connect(api);
    client.send({ type: 'subscribe', id: 1, types: ['*'], after: 0 });
    client.send({ type: 'ack', seq: 0 });
    const seen: number[] = [];
    while (seen.length < 2_000) seen.push((await client.next('event')).event.seq);
    await until('the pause began', () => clock.pending > 0);
    client.send({ type: 'ping' });
    await client.next('pong');
    clock.advance(30_000);
    expect(await client.closed).toEqual({ code: 4008, reason: 'slow_consumer' });
    const { epoch } = (await api.get('/api/status')).body as { epoch: string };
    await using again = await openWsConsumer(api, { after: `${epoch}:${seen.at(-1) ?? 0}` });
    const rest = await again.take(10_001);
    expect([...seen, ...rest.map(seqOf)]).toEqual(numbers(12_001));
  });

  it('EV8 a client that does not read is cut after 30 s while others are served', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const clock = new ManualClock(Date.now());
    using home = new EventHome(world.home);
    fill(home.open({}, clock).log, 120_000);
    home[Symbol.dispose]();
    const { api } = await world.start(clock);
    await using client = await WsClient.connect(api);
    const timers = clock.pending;
    client.socket.pause();
    client.send({ type: 'subscribe', id: 1, types: ['*'], after: 0 });
    await until('the client is paused', () => clock.pending > timers);
    await using other = await openWsConsumer(api, { after: '0' });
    expect((await other.take(120_001)).length).toBe(120_001);
    clock.advance(30_000);
    client.socket.resume();
    expect((await client.closed).code).toBe(4008);
    expect(client.socket.readyState).toBe(WebSocket.CLOSED);
  });
}

function numbers(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
