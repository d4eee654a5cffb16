/** The metrics of open client connections. */
import { expect, it } from 'vitest';
import { type DaemonStatus } from '../../../shared/schema/model.ts';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { EventHome, fill } from '../../support/events/event-home.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { openSseConsumer } from '../../support/events/open-sse-consumer.ts';
import { scrape } from '../../support/browser/scrape.ts';
import { until } from '../../support/house/until.ts';
import { startWaitingLoop } from '../../support/auto/waiting-loop.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

export function testMetricsClients(engine: TransportName): void {
  it('ME5 open connections, streams and polls are counted while they are open', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine, LOOPWATCH_TERMINAL: 'pty' });
    const { api } = await world.start();
    await api.openSession('web', world.taskDir('web'));
    const open = async () => {
      const figures = await scrape(api);
      return {
        sockets: figures.value('websocket_connections'),
        subscriptions: figures.by('subscriptions'),
        filters: figures.value('event_channels'),
        screens: figures.value('watched_screens'),
        viewers: figures.value('screen_viewers'),
        attached: figures.value('attached_terminals'),
        streams: figures.value('event_streams'),
        polls: figures.value('long_polls'),
      };
    };
    const nothing = await open();
    const client = await WsClient.connect(api);
    client.send({ type: 'subscribe', id: 1, types: ['auto.*'] });
    await client.next('subscribed');
    client.send({ type: 'watch', session: 'web' });
    await client.next('screen');
    const other = await WsClient.connect(api);
    other.send({ type: 'watch', session: 'web' });
    await other.next('screen');
    client.send({ type: 'attach', session: 'web', cols: 80, rows: 24, control: false });
    await client.next('attached');
    const stream = await openSseConsumer(api, { after: null });
    const left = new AbortController();
    const { signal } = left;
    const headers = { authorization: `Bearer ${api.token}` };
    const { head } = (await api.get('/api/status')).body as unknown as DaemonStatus;
    const { epoch } = (await api.get('/api/status')).body as unknown as DaemonStatus;
    const waits = `${api.url}/api/events?wait=30&types=auto.ended&after=${epoch}:${head}`;
    const poll = fetch(waits, { headers, signal }).catch(() => null);
    const all = {
      sockets: 2,
      subscriptions: { live: 1, replaying: 0, paused: 0 },
      filters: 1,
      screens: 1,
      viewers: 2,
      attached: 1,
      streams: 1,
      polls: 1,
    };
    await until('all is open', async () => JSON.stringify(await open()) === JSON.stringify(all));
    await client[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
    await stream[Symbol.asyncDispose]();
    left.abort();
    await poll;
    await until(
      'all is gone',
      async () => JSON.stringify(await open()) === JSON.stringify(nothing),
    );
    expect(nothing).toEqual({
      sockets: 0,
      subscriptions: { live: 0, replaying: 0, paused: 0 },
      filters: 0,
      screens: 0,
      viewers: 0,
      attached: 0,
      streams: 0,
      polls: 0,
    });
  });

  it('ME5 a request for the head of a stream leaves no stream behind', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine, LOOPWATCH_TERMINAL: 'pty' });
    const { api } = await world.start();
    const headers = { authorization: `Bearer ${api.token}` };
    const answer = await fetch(`${api.url}/api/events/stream`, { method: 'HEAD', headers });
    expect(answer.status).toBe(200);
    expect((await scrape(api)).value('event_streams')).toBe(0);
  });

  it('ME5 events are counted once for each receiver, by transport', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const append = await startWaitingLoop(world, api);
    const clients = await Promise.all([1, 2].map(async () => WsClient.connect(api)));
    for (const client of clients) {
      client.send({ type: 'subscribe', id: 1, types: ['auto.limits_changed'] });
      await client.next('subscribed');
    }
    const types = 'auto.limits_changed';
    await using stream = await openSseConsumer(api, { after: null, types: [types] });
    await until('the stream is read', async () => (await scrape(api)).value('event_streams') === 1);
    await append(3);
    for (const client of clients) for (let n = 0; n < 3; n += 1) await client.next('event');
    await stream.take(3);
    expect(await api.events(`&types=${types}`)).toHaveLength(3);
    expect((await scrape(api)).by('events_delivered_total')).toMatchObject({
      websocket: 6,
      sse: 3,
    });
    for (const client of clients) await client[Symbol.asyncDispose]();
  });

  it('ME5 a subscriber that does not read is reported as paused, and as live when it has caught up', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine, LOOPWATCH_TERMINAL: 'pty' });
    using home = new EventHome(world.home);
    // More than the kernel buffers.
    fill(home.open({}, new ManualClock(Date.now())).log, 120_000);
    home[Symbol.dispose]();
    const { api } = await world.start();
    await using client = await WsClient.connect(api);
    client.socket.pause();
    client.send({ type: 'subscribe', id: 1, types: ['*'], after: 0 });
    const subscriptionCounts = async () => (await scrape(api)).by('subscriptions');
    await until('it is paused', async () => (await subscriptionCounts())['paused'] === 1);
    expect(await subscriptionCounts()).toEqual({ live: 0, replaying: 0, paused: 1 });
    client.socket.resume();
    await until('it is live', async () => (await subscriptionCounts())['live'] === 1);
    expect(await subscriptionCounts()).toEqual({ live: 1, replaying: 0, paused: 0 });
    const figures = await scrape(api);
    expect(figures.value('events_delivered_total', 'way="websocket"')).toBe(
      figures.value('events_appended_total'),
    );
  });
}
