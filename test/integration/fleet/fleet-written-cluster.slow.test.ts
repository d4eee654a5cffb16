/** Three servers on the configuration that a fleet writes, each with what makes it one of a cluster. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readHostIdentity } from '../../../server/fleet/host-identity.ts';
import { checkMembership } from '../../../server/fleet/membership/check-membership.ts';
import { readJoinLink } from '../../../server/fleet/membership/join-link.ts';
import { makeFleet } from '../../../server/fleet/membership/make-fleet.ts';
import { inviteHost } from '../../../server/fleet/membership/members.ts';
import { connectToServer } from '../../../server/fleet/nats/connect-to-server.ts';
import { connectCarrier } from '../../../server/fleet/nats/nats-carrier.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { factsOf } from '../../support/fleet/fleet-rig.ts';
import { FleetServer, freePort } from '../../support/fleet/fleet-server.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { until } from '../../support/house/until.ts';

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function freePorts(): Promise<number[]> {
  return Promise.all([0, 1, 2].map(async () => freePort()));
}

it('FL21 FM1 FM5 FM9 a cluster needs a few lines more than the written configuration', async () => {
  const home = mkdtempSync(join(TEST_ROOT, 'f'));
  const [ports, routes] = [await freePorts(), await freePorts()];
  const addresses = ports.map((port) => `tls://127.0.0.1:${port}`);
  const listen = `127.0.0.1:${ports[0] ?? 0}`;
  const { url } = await makeFleet(home, { name: 'desk', listen, addresses });
  expect(url.split(',')).toEqual(addresses);
  const servers = ports.map((port, n) => {
    const config = join(home, 'fleet', `n${n}.conf`);
    // On one machine each also needs its own port, store and pid file.
    writeFileSync(
      config,
      `include nats.conf
server_name: n${n}
listen: "127.0.0.1:${port}"
pid_file: "${join(home, `n${n}.pid`)}"
jetstream { store_dir: "${join(home, `store${n}`)}", max_file_store: 3221225472 }
cluster {
  name: fleet
  listen: "127.0.0.1:${routes[n] ?? 0}"
  routes: ${JSON.stringify(routes.map((route) => `nats://127.0.0.1:${route}`))}
}
`,
    );
    return new FleetServer(config, port);
  });
  const check = async () => checkMembership({ home, url, view: null, clock: systemClock });
  try {
    for (const server of servers) await server.start();
    let seen: unknown;
    await until(
      'the doctor finds nothing',
      async () => {
        const checks = await check();
        seen = checks.at(-1);
        return checks.length === 8 && checks.every(({ ok }) => ok);
      },
      () => seen,
    );
    const identity = readHostIdentity(home);
    if (identity === null) throw new Error('joined no fleet');
    const desk = await connectCarrier({
      url,
      identity,
      instance: 'desk-1',
      clock: systemClock,
      log: SILENT,
    });
    expect(desk.problem).toBeNull();
    await desk.present(factsOf('desk', { id: identity.id }));
    const claim = await desk.claim('x', 'w');
    expect(await desk.claims()).toEqual([claim]);
    await desk.close();

    const link = readJoinLink(inviteHost(home, 'build-1').link);
    expect(link.url).toBe(url);
    for (const { pid } of servers) process.kill(pid, 'SIGHUP');
    for (const address of addresses) {
      const connection = await until('it knows the new host', async () =>
        connectToServer(address, { ...link, host: link.id }).catch(() => null),
      );
      await connection.close();
    }

    for (const server of servers.slice(1)) await server.stop();
    // The one that is left leads for a few seconds more.
    const failed = await until('the doctor says what is wrong', async () =>
      (await check()).find(({ ok }) => !ok),
    );
    expect(failed).toMatchObject({ name: 'streams' });
    expect(failed.fix).toContain('more than half of its servers');
    expect((await check())[2]?.detail).toBe('1 of 3 servers take connections');
  } finally {
    for (const server of servers) await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
});
