/** The last two checks of the doctor, on a real NATS server: clocks, and another daemon with the id. */
import { jetstream } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { readHostIdentity } from '../../../server/fleet/host-identity.ts';
import { checkMembership } from '../../../server/fleet/membership/check-membership.ts';
import { connectToServer } from '../../../server/fleet/nats/connect-to-server.ts';
import { type Clock, systemClock } from '../../../server/lib/clock.ts';
import type { FleetView } from '../../../shared/schema/fleet.ts';
import { FleetStage } from '../../support/fleet/fleet-stage.ts';
import { SetClock } from '../../support/drills/set-clock.ts';

const ALONE: FleetView = { self: null, hosts: [], problem: null };

it('FM9 the doctor compares the clock with that of the server, and finds a second daemon', async () => {
  await using stage = await FleetStage.open();
  await stage.server.start();
  const { home, url } = stage;
  const wrong = async (clock: Clock, view: FleetView | null) => {
    const checks = await checkMembership({ home, url, view, clock });
    expect(checks).toHaveLength(8);
    return checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
  };
  expect(await wrong(systemClock, null)).toEqual([]);
  // Measured around a request, which takes its time.
  expect(await wrong(new SetClock(3_000), null)).toEqual([]);
  expect(await wrong(new SetClock(90_000), null)).toEqual([
    expect.stringMatching(/^clock: \d+ s ahead of the server$/),
  ]);
  expect(await wrong(new SetClock(-90_000), null)).toEqual([
    expect.stringMatching(/^clock: \d+ s behind the server$/),
  ]);

  // Something says that this host is there, and no daemon of this home runs.
  const identity = readHostIdentity(home);
  if (identity === null) throw new Error('joined no fleet');
  const connection = await connectToServer(url, { ...identity, host: identity.id });
  await jetstream(connection).publish(`$KV.hosts.${identity.id}`, '{}');
  await connection.close();
  const second = [expect.stringMatching(/^duplicate: another daemon is there as this host/)];
  expect(await wrong(systemClock, null)).toEqual(second);
  expect(await wrong(systemClock, ALONE)).toEqual([]);
  const code = 'duplicate_host_id' as const;
  const problem = { code, since: '2026-01-01T00:00:00.000Z', message: '' };
  expect(await wrong(systemClock, { ...ALONE, problem })).toEqual(second);
});
