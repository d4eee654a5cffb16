/** Work on one remote branch in a fleet, on the carrier of tests. */
import { expect, it, vi } from 'vitest';
import type { Run } from '../../../shared/schema/runs/run.ts';
import { FleetWorld, reaches } from '../../support/fleet/fleet-world.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { SharedBranch, SPELLINGS } from '../../support/fleet/shared-branch.ts';
import { git } from '../../support/git/git-repository.ts';
import { RunHome } from '../../support/runs/run-home.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';

/** Longer than a host may be silent. */
const SILENCE_MS = 31_000;
/** Between two attempts to compare. */
const RETRY_MS = 5_000;

async function openTwo() {
  const clock = new SkipClock();
  const fleet = new FleetWorld(clock);
  const [one, two] = [await fleet.host('one'), await fleet.host('two')];
  await reaches(one, 'two');
  await reaches(two, 'one');
  const [here, there] = [
    new SharedBranch(one, SPELLINGS[0]),
    new SharedBranch(two, SPELLINGS[1]),
  ] as const;
  return {
    clock,
    fleet,
    here,
    there,
    [Symbol.asyncDispose]: async () => fleet[Symbol.asyncDispose](),
  };
}

it('FC1 FC2 FC5 the second host waits for the first, and starts when that is done', async () => {
  await using opened = await openTwo();
  const { here, there } = opened;
  await here.begin('fix', 'fix-login');
  await here.tasks.until('fix', 'RUNNING');
  await there.begin('repair', 'fix-login');
  expect((await there.waits('repair', 'claimed')).next).toContain('Host one works there.');
  await there.begin('else', 'another');
  await there.tasks.until('else', 'RUNNING');
  expect(await there.claims()).toMatchObject([
    { name: 'one', work: 'task fix: fix-login of example.com/team/app' },
    { name: 'two', work: 'task else: another of example.com/team/app' },
  ]);
  expect(await there.isAtWork('repair')).toBe(false);
  await here.tasks.post('fix', 'stop');
  await there.tasks.until('repair', 'RUNNING');
  expect(await here.isAtWork('fix')).toBe(false);
  await here.tasks.post('fix', 'resume');
  await here.waits('fix', 'claimed');
  expect((await there.tasks.post('repair', 'stop')).status).toBe(200);
  await here.host.api.send('DELETE', '/api/v1/tasks/by-name/fix');
  await until('nothing of them is claimed', async () => (await here.claims()).length === 1);
});

it('FC8 two tasks of one host on one remote branch wait for each other as well', async () => {
  await using opened = await openTwo();
  const { here } = opened;
  const clone = new SharedBranch(here.host, SPELLINGS[1], 'clone');
  await here.begin('fix', 'fix-login');
  await here.tasks.until('fix', 'RUNNING');
  await clone.begin('repair', 'fix-login');
  expect((await clone.waits('repair', 'claimed')).next).toContain('Task fix of this host');
  await here.tasks.post('fix', 'stop');
  await clone.tasks.until('repair', 'RUNNING');
});

it('FC3 FC6 FC7 a host that is cut off keeps its claim until an admin releases it, and then stops', async () => {
  await using opened = await openTwo();
  const { clock, fleet, here, there } = opened;
  const local = new TaskHome(here.host.world, here.host.api, 'local');
  await here.begin('fix', 'fix-login');
  await here.begin('keep', 'kept');
  for (const name of ['fix', 'keep']) await here.tasks.until(name, 'RUNNING');
  const [claim] = await there.claims();
  expect(refusal(await there.release(claim))).toBe('409 host_reachable');
  fleet.carried.cut(here.host.id);
  await here.begin('new', 'new-branch');
  await here.waits('new', 'fleet_unreachable');
  await local.run('alone', ['hang']);
  await local.until('alone', 'RUNNING');
  expect(refusal(await here.host.api.get('/api/fleet/claims'))).toBe('503 host_unreachable');

  await there.begin('repair', 'fix-login');
  await there.waits('repair', 'claimed');
  clock.skip(SILENCE_MS);
  const stale = { key: claim?.key ?? '', revision: (claim?.revision ?? 0) + 1 };
  expect(refusal(await there.release(stale))).toBe('404 claim_unknown');
  expect((await there.release(claim)).status).toBe(200);
  expect(refusal(await there.release(claim))).toBe('404 claim_unknown');
  expect(await there.host.api.event('claim.released')).toMatchObject({ data: { host: 'one' } });
  await there.tasks.until('repair', 'RUNNING');

  fleet.carried.heal(here.host.id);
  expect(await here.host.api.event('claim.lost')).toMatchObject({
    data: { task: 'fix', holder: 'two' },
  });
  const stopped = await here.tasks.until('fix', 'STOPPED');
  expect(stopped).toMatchObject({ reason: 'claim_lost' });
  await until('its agent has ended', async () => !(await here.isAtWork('fix')));
  const { items } = (await here.host.api.get('/api/attention')).body as { items: object[] };
  expect(items).toMatchObject([{ reason: 'claim_lost', task: 'fix' }]);
  expect(await here.tasks.get('keep')).toMatchObject({ status: 'RUNNING' });
  await here.tasks.until('new', 'RUNNING');
  await here.tasks.post('fix', 'resume');
  await here.waits('fix', 'claimed');
});

it('FC1 FC2 FC5 FC7 FC8 FC12 a run waits for its branch, has it, and stops when its claim was released', async () => {
  await using opened = await openTwo();
  const { clock, fleet, here, there } = opened;
  const runs = new RunHome(there.host.world, there.host.api, 'runs');
  git(runs.repository, 'remote', 'add', 'origin', SPELLINGS[1]);
  await here.begin('fix', 'fix-login');
  await here.tasks.until('fix', 'RUNNING');
  const { id } = await runs.start(['hang'], { branch: 'fix-login' });
  const waits = (text: string) => (run: Run) => run.wait?.next.includes(text) === true;
  await runs.sees(id, 'waits', waits('Host one works there.'));
  expect(await there.host.api.event('run.held')).toMatchObject({
    data: { run: id, reason: 'claimed', detail: 'Host one works there.' },
  });
  await here.tasks.post('fix', 'stop');
  await runs.sees(id, 'talks', ({ stage }) => stage === 'talking');
  const [claim] = await here.claims();
  expect(claim).toMatchObject({
    name: 'two',
    work: `run ${id}: fix-login of example.com/team/app`,
  });
  await there.begin('late', 'fix-login');
  expect((await there.waits('late', 'claimed')).next).toContain(`Run ${id} of this host works`);
  await there.tasks.post('late', 'stop');

  fleet.carried.cut(there.host.id);
  clock.skip(SILENCE_MS);
  expect((await here.release(claim)).status).toBe(200);
  await here.tasks.post('fix', 'resume');
  await here.tasks.until('fix', 'RUNNING');
  fleet.carried.heal(there.host.id);
  expect(await there.host.api.event('claim.lost')).toMatchObject({
    data: { run: id, holder: 'one' },
  });
  const stopped = await runs.until(id, 'stopped');
  expect(stopped).toMatchObject({ reason: 'claim_lost', process_pid: null });
  const { items } = (await there.host.api.get('/api/attention')).body as { items: object[] };
  expect(items).toMatchObject([{ reason: 'claim_lost', subject: { kind: 'run', id } }]);
  await runs.post(id, 'resume');
  await runs.sees(id, 'waits again', waits('Host one works there.'));
  await here.tasks.post('fix', 'stop');
  await runs.sees(id, 'talks again', ({ stage }) => stage === 'talking');
  await runs.post(id, 'stop');
  await until('nothing is claimed', async () => (await here.claims()).length === 0);
});

it('FC14 a host that could not compare its claims when it came back does so as soon as it can', async () => {
  await using opened = await openTwo();
  const { clock, fleet, here, there } = opened;
  await here.begin('fix', 'fix-login');
  await here.tasks.until('fix', 'RUNNING');
  const [claim] = await there.claims();
  fleet.carried.cut(here.host.id);
  clock.skip(SILENCE_MS);
  expect((await there.release(claim)).status).toBe(200);
  const carrier = fleet.carried.carriers.get(here.host.id);
  if (carrier === undefined) throw new Error('no carrier');
  const compare = vi.spyOn(carrier, 'claims').mockRejectedValue(new Error('no answer'));
  fleet.carried.heal(here.host.id);
  await until('it was tried', () => compare.mock.calls.length > 0);
  clock.skip(RETRY_MS);
  await until('it was tried again', () => compare.mock.calls.length > 1);
  expect(await here.tasks.get('fix')).toMatchObject({ status: 'RUNNING' });
  compare.mockRestore();
  clock.skip(RETRY_MS);
  await here.tasks.until('fix', 'STOPPED');
});

it('FC4 FC5 a claim outlives the daemon; what ended meanwhile is given back', async () => {
  await using opened = await openTwo();
  const { fleet, here, there } = opened;
  await here.begin('fix', 'fix-login');
  await here.begin('gone', 'gone');
  for (const name of ['fix', 'gone']) await here.tasks.until(name, 'RUNNING');
  const before = await there.claims();
  fleet.carried.cut(here.host.id);
  await here.host.api.send('DELETE', '/api/v1/tasks/by-name/gone');
  expect(await there.claims()).toEqual(before);
  await here.host.daemon.close();
  const carrier = fleet.carried.join(here.host.id);
  const { api } = await here.host.world.start(new SkipClock(), { carrier });
  await until('only what is still wanted', async () => (await there.claims()).length === 1);
  expect(await there.claims()).toEqual(before.filter(({ work }) => work.includes('fix-login')));
  const { body } = await api.get('/api/v1/tasks/by-name/fix');
  expect(body).toMatchObject({ status: 'RUNNING' });
  await there.begin('repair', 'fix-login');
  await there.waits('repair', 'claimed');
});

it('FC10 a second daemon with the id of a host claims nothing', async () => {
  await using opened = await openTwo();
  const { fleet, here } = opened;
  const copy = await fleet.copyOf(here.host);
  await until('it stays out', async () => {
    const { body } = await copy.api.get('/api/hosts');
    return (body['problem'] as { code: string } | null)?.code === 'duplicate_host_id';
  });
  const twin = new SharedBranch(copy, SPELLINGS[0]);
  await twin.begin('fix', 'fix-login');
  await twin.waits('fix', 'fleet_unreachable');
  expect(await here.claims()).toEqual([]);
});

it('FC9 the command line lists claims, and releases that of a dead host', async () => {
  await using opened = await openTwo();
  const { clock, fleet, here, there } = opened;
  const alone = new TaskHome(here.host.world, here.host.api, 'local');
  await alone.run('local', ['hang']);
  await alone.until('local', 'RUNNING');
  const { world } = there.host;
  expect((await world.cli('fleet', 'claims', '--quiet')).stdout).toBe('');
  await here.begin('fix', 'fix-login');
  await here.tasks.until('fix', 'RUNNING');
  const { stdout } = await world.cli('fleet', 'claims');
  expect(stdout).toMatch(/one +reachable +task fix: fix-login of example\.com\/team\/app/);
  const [claim] = await there.claims();
  const start = claim?.key.slice(0, 8) ?? '';
  const refused = await world.cli('fleet', 'release', start);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('host_reachable');
  fleet.carried.cut(here.host.id);
  clock.skip(SILENCE_MS);
  const released = await world.cli('fleet', 'release', start);
  expect(released).toMatchObject({ code: 0, stderr: '' });
  expect(released.stdout).toContain('released: task fix');
  expect(await there.claims()).toEqual([]);
});
