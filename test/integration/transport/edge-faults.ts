/** Machine faults at the edge of a daemon: no file descriptors left, and a second SIGTERM. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { agentsIn } from '../../support/agents/agent-census.ts';
import { openWsConsumer } from '../../support/events/open-ws-consumer.ts';
import { putSignal, signalText, startSilentLoop } from '../../support/auto/signal-files.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

export function testEdgeFaults(engine: TransportName): void {
  it('FA7 sockets beyond the limit of open files are closed; work and open connections continue', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.spawn(['prlimit', '--nofile=256:256']);
    const directory = await startSilentLoop(world, api, 'web');
    const agents = agentsIn(directory);
    await using reader = await openWsConsumer(api, { after: null, types: ['auto.*'] });
    const sockets: Socket[] = [];
    try {
      const { port, hostname } = new URL(api.url);
      for (let n = 0; n < 400; n += 1) {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        sockets.push(socket);
      }
      await until(
        'some are turned away',
        () => sockets.filter(({ closed }) => closed).length > 200,
      );
      for (let iteration = 1; iteration <= 5; iteration += 1) {
        putSignal(directory, signalText({ iteration }));
        expect(JSON.parse(await reader.event())).toMatchObject({
          type: 'auto.signal',
          data: { iteration },
        });
      }
      expect(agentsIn(directory)).toEqual(agents);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await until('it answers again', async () => {
      const answer = await api.get('/healthz').catch(() => null);
      return answer?.status === 200;
    });
    expect(await api.loop('web')).toMatchObject({
      status: 'running',
      iteration: 5,
      restart_count: 0,
    });
  });

  it('FA10 WI7 a second SIGTERM ends the daemon at once; the home is free and the agent keeps running', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api, process: child } = await world.spawn();
    const directory = await startSilentLoop(world, api, 'web');
    const { port, hostname } = new URL(api.url);
    // A request that never ends keeps the first SIGTERM busy for its whole second.
    const held = connect(Number(port), hostname);
    held.on('error', () => undefined);
    held.write(
      `POST /api/sessions HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-length: 10\r\n` +
        `authorization: Bearer ${api.token}\r\ncontent-type: application/json\r\n\r\n`,
    );
    await once(held, 'connect');
    await api.get('/healthz');
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    // A signal sent before the first was handled does not count as a second one.
    const again = setInterval(() => child.kill('SIGTERM'), 10);
    // Ended by its own handler of the second signal, not by the system, and not by the first one.
    expect(await exited).toEqual([1, null]);
    clearInterval(again);
    held.destroy();
    const { api: next } = await world.spawn();
    expect((await next.loop('web')).status).toBe('running');
    expect(agentsIn(directory)).toHaveLength(1);
  });
}
