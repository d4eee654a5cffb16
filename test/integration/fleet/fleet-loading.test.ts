/** What a daemon loads, as its engine counts it. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { saveHostIdentity } from '../../../server/fleet/host-identity.ts';
import { makeHome } from '../../support/drills/empty-database.ts';
import { hostIdentity } from '../../support/fleet/nats-server.ts';
import { World } from '../../support/daemon/world.ts';

/** Files of the built daemon that it has loaded from its start to its end. */
async function loadedBy(world: World): Promise<string[]> {
  const directory = join(world.root, 'coverage');
  world.environment['NODE_V8_COVERAGE'] = directory;
  const { process: daemon } = await world.spawn();
  const exited = once(daemon, 'exit');
  daemon.kill('SIGTERM');
  await exited;
  const reports = readdirSync(directory).map(
    (name) =>
      JSON.parse(readFileSync(join(directory, name), 'utf8')) as { result: { url: string }[] },
  );
  const urls = reports.flatMap(({ result }) => result.map(({ url }) => url));
  return urls.filter((url) => url.includes('/dist/server/')).map((url) => basename(url));
}

it('FH23 only a host of a fleet loads what connects hosts', async () => {
  await using alone = new World();
  const without = await loadedBy(alone);
  expect(without).toContain('start-daemon.js');
  expect(without.filter((name) => /nats/.test(name))).toEqual([]);

  // No server listens there: the daemon starts all the same.
  await using member = new World({ LOOPWATCH_NATS: 'nats://127.0.0.1:1' });
  makeHome(member.home);
  saveHostIdentity(member.home, hostIdentity('member'));
  expect(await loadedBy(member)).toContain('nats-carrier.js');
});
