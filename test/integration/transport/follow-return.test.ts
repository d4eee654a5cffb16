/** A shell that follows events and lost its daemon. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

it('CL63 a follower that lost its daemon asks without waiting, so that it notices the return at once', async () => {
  await using world = new World();
  const waits: (string | null)[] = [];
  const page = { epoch: 'e', head: 7, next: 7, events: [] };
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://daemon');
    if (pathname !== '/api/events') return void response.end(JSON.stringify(page));
    waits.push(searchParams.get('wait'));
    if (waits.length === 2) response.destroy();
    else if (waits.length < 4) response.end(JSON.stringify(page));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  mkdirSync(world.home);
  const daemon = { url: `http://127.0.0.1:${port}`, pid: process.pid };
  writeFileSync(join(world.home, 'daemon.json'), JSON.stringify(daemon));
  writeFileSync(join(world.home, 'token'), 'x'.repeat(32));
  const child = world.run(['watch', '--after', 'e:7']);
  let said = '';
  child.stderr?.on('data', (data: Buffer) => (said += data.toString()));
  await until(
    'it waits again',
    () => waits.length === 4,
    () => said,
  );
  expect(waits).toEqual(['25', '25', '0', '25']);
  expect(said.trim().split('\n')).toEqual([
    'loopwatch: the daemon does not answer; waiting for it',
    'loopwatch: reconnected',
  ]);
  child.kill('SIGINT');
  await once(child, 'close');
  server.closeAllConnections();
  server.close();
});
