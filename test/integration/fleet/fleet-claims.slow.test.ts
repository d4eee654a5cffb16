/** Work on one remote branch, by daemons on a real NATS server that is killed and cut off. */
import { expect, it } from 'vitest';
import { CutProxy } from '../../support/browser/cut-proxy.ts';
import { FleetWorld, reaches } from '../../support/fleet/fleet-world.ts';
import { NatsServer } from '../../support/fleet/nats-server.ts';
import { SharedBranch, SPELLINGS } from '../../support/fleet/shared-branch.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import { until } from '../../support/house/until.ts';

const SILENCE_MS = 31_000;

it('FC11 FC2 FC3 FC6 FC7 FC12 no two connected hosts work under one claim, through a kill, a cut and a release', async () => {
  await using server = await NatsServer.start();
  await using proxy = await CutProxy.listen(() => server.port);
  const clock = new SkipClock();
  await using fleet = new FleetWorld(clock);
  const one = await fleet.host('one', {}, proxy.url);
  const two = await fleet.host('two', {}, server.url);
  await reaches(one, 'two');
  await reaches(two, 'one');
  const here = new SharedBranch(one, SPELLINGS[0]);
  const there = new SharedBranch(two, SPELLINGS[1]);
  await here.begin('fix', 'fix-login');
  await here.tasks.until('fix', 'RUNNING');
  await there.begin('repair', 'fix-login');
  await there.waits('repair', 'claimed');
  expect(await two.api.event('task.held')).toMatchObject({
    data: { task: 'repair', reason: 'claimed', detail: 'Host one works there.' },
  });

  await server.kill();
  await there.begin('late', 'late');
  await there.waits('late', 'fleet_unreachable');
  expect(await here.tasks.get('fix')).toMatchObject({ status: 'RUNNING' });
  await server.resume();
  await there.tasks.until('late', 'RUNNING');
  await there.waits('repair', 'claimed');

  proxy.isCut = true;
  proxy.cut();
  await until('the cut host notices', async () => {
    const { body } = await one.api.get('/api/hosts');
    return body['problem'] !== null;
  });
  clock.skip(SILENCE_MS);
  const claim = (await there.claims()).find(({ work }) => work.includes('task fix'));
  const released = await until('it is released', async () => {
    const answer = await there.release(claim);
    return answer.status === 409 ? null : answer;
  });
  expect(released.status).toBe(200);
  await there.tasks.until('repair', 'RUNNING');
  proxy.isCut = false;
  expect(await one.api.event('claim.lost')).toMatchObject({ data: { task: 'fix', holder: 'two' } });
  expect(await here.tasks.until('fix', 'STOPPED')).toMatchObject({ reason: 'claim_lost' });
  await until('its agent has ended', async () => !(await here.isAtWork('fix')));
  expect(await there.tasks.get('repair')).toMatchObject({ status: 'RUNNING' });
});

it('FC11 FC2 hosts that begin the same work at the same moment: one does each', async () => {
  await using server = await NatsServer.start();
  await using fleet = new FleetWorld(new SkipClock());
  const hosts = [
    new SharedBranch(await fleet.host('one', {}, server.url), SPELLINGS[0]),
    new SharedBranch(await fleet.host('two', {}, server.url), SPELLINGS[1]),
  ] as const;
  await reaches(hosts[0].host, 'two');
  await reaches(hosts[1].host, 'one');
  const branches = ['a', 'b'];
  const begun = branches.flatMap((branch) => hosts.map(async (host) => host.begin(branch, branch)));
  await Promise.all(begun);
  for (const branch of branches) {
    const states = await until(`${branch} is decided`, async () => {
      const tasks = await Promise.all(hosts.map(async ({ tasks: each }) => each.get(branch)));
      const seen = tasks.map(({ status, wait }) => wait?.reason ?? status).sort();
      return seen.includes('PENDING') || seen.includes('concurrency') ? null : seen;
    });
    expect(states).toEqual(['RUNNING', 'claimed']);
  }
});
