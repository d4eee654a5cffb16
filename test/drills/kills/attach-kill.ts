/** Daemons killed while people watch and type: the sessions and their programs survive. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { Random, sized } from '../../support/house/random.ts';
import { openShell, rowsOf, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

const KILLS = sized({ short: 3, middle: 12, long: 50 });
const SESSIONS = ['one', 'two', 'three'];
/** How long one daemon lives after people attached, in milliseconds. */
const LIFE_MS = [1, 60] as const;

export function testAttachKill(engine: TransportName): void {
  it('LT8 sessions survive kills of the daemon while people are attached, watch and record', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const random = new Random(1);
    const first = await world.spawn();
    for (const name of SESSIONS) {
      await openShell(first.api, name, world.taskDir(name));
      await typeInto(first.api, name, 'while :; do date +%s%N | tee last; sleep 0.02; done');
    }
    const panes = identities(world);
    let daemon = first;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const clients = await Promise.all(
        SESSIONS.map(async (name) => watchAndType(daemon.api, name)),
      );
      if (random.chance(0.5)) await daemon.api.send('POST', '/api/sessions/one/recording');
      const ends = performance.now() + random.int(...LIFE_MS);
      await until('the end of its life', () => performance.now() >= ends);
      await daemon.kill();
      for (const client of clients) await client.closed;
      daemon = await world.spawn();
    }
    expect(identities(world)).toEqual(panes);
    for (const name of SESSIONS) {
      const file = join(world.root, 'tasks', name, 'last');
      const before = statSync(file).mtimeMs;
      await until('it continues', () => statSync(file).mtimeMs > before);
      expect((await rowsOf(daemon.api, name)).join('')).toMatch(/\d{19}/);
      expect(readFileSync(file, 'utf8')).toMatch(/^\d*\n?$/);
      // Also ends what killed daemons left behind at the terminal.
      await daemon.api.send('DELETE', `/api/sessions/${name}`);
    }
  });

  /** Watches, attaches, and types something harmless. */
  async function watchAndType(api: Parameters<typeof WsClient.connect>[0], session: string) {
    const client = await WsClient.connect(api);
    client.send({ type: 'watch', session });
    client.send({ type: 'attach', session, cols: 100, rows: 30 });
    await client.next('attached');
    return client;
  }

  /** The running tmux servers: socket and inode stay the same while a server lives. */
  function identities(world: World): string[] {
    return world
      .sockets()
      .sort()
      .map((socket) => `${socket} ${statSync(socket).ino}`);
  }
}
