/** A task is created on the host of the fleet that fits, once, also when hosts lose each other. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { serveRequest } from '../../../server/gateway/serve-request.ts';
import type { Task } from '../../../shared/schema/tasks/task.ts';
import type { Answer } from '../../support/daemon/api-client.ts';
import { type FleetHost, FleetWorld, reaches } from '../../support/fleet/fleet-world.ts';
import { gitRepository } from '../../support/git/git-repository.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { seeded, sized } from '../../support/house/random.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import {
  place,
  saysRepositories,
  SharedProject,
  tasksNamed,
} from '../../support/tasks/shared-project.ts';
import { until } from '../../support/house/until.ts';

const GPU = { LOOPWATCH_HOST_LABELS: 'gpu' };
/** Each with its faults. */
const TASKS = sized({ short: 5, middle: 40, long: 400 });

interface Places extends AsyncDisposable {
  clock: ManualClock;
  fleet: FleetWorld;
  one: FleetHost;
  two: FleetHost;
  /** The project on each, at different paths. */
  paths: { one: string; two: string };
}

async function openPlaces(): Promise<Places> {
  const clock = new ManualClock();
  const fleet = new FleetWorld(clock);
  const project = new SharedProject();
  const paths = { one: '', two: '' };
  const one = await fleet.host('one', {}, null, (world) => {
    paths.one = project.clone(world, 'shop');
  });
  const two = await fleet.host('two', GPU, null, (world) => {
    paths.two = project.clone(world, 'work/team/checkout');
  });
  await reaches(one, 'two', clock);
  await saysRepositories(fleet.carried, two);
  return {
    clock,
    fleet,
    one,
    two,
    paths,
    [Symbol.asyncDispose]: async () => {
      await fleet[Symbol.asyncDispose]();
      project[Symbol.dispose]();
    },
  };
}

/** Of a request that is not answered until time passes. */
async function answered(clock: ManualClock, request: Promise<Answer>): Promise<Answer> {
  let answer: Answer | null = null;
  void request.then((given) => (answer = given));
  await until('the request is answered', () => {
    clock.advance(5_000);
    return answer !== null;
  });
  return request;
}

it('FO1 FO3 FO5 a task with a label is created on the host that has it, found by its remote', async () => {
  await using places = await openPlaces();
  const { one, two, paths } = places;
  const placement = { host: 'any', labels: ['gpu'] };
  const { status, body } = await place(one.daemon.url, 'greet', {
    root_folder: paths.one,
    placement,
  });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      task_name: 'greet',
      root_folder: paths.two,
      created_by: 'Owner',
      placed: {
        asked: placement,
        by: 'one',
        host: 'two',
        hosts: [
          { name: 'two', fits: true },
          { name: 'one', fits: false, reasons: [{ code: 'label_missing', value: 'gpu' }] },
        ],
      },
    },
  });
  const [here, there] = await tasksNamed([one, two], 'greet');
  expect([here, there?.map(({ id }) => id)]).toEqual([[], [body['id']]]);
  const kept = (await two.api.get('/api/v1/tasks/by-name/greet')).body as unknown as Task;
  expect(kept.placed).toEqual(body['placed']);
  expect(kept.worktree_path).toContain('checkout');
});

it('FO1 a host may be named; without a placement a task is created on the host that is asked', async () => {
  await using places = await openPlaces();
  const { one, two, paths } = places;
  const root_folder = paths.one;
  const named = await place(one.daemon.url, 'a', { root_folder, placement: { host: 'two' } });
  const own = await place(one.daemon.url, 'b', { root_folder, placement: { host: 'one' } });
  const plain = await place(one.daemon.url, 'c', { root_folder });
  expect([named, own, plain].map(({ body }) => body['root_folder'])).toEqual([
    paths.two,
    paths.one,
    paths.one,
  ]);
  expect([own.body['placed'], plain.body['placed']]).toMatchObject([{ host: 'one' }, null]);
  expect((await tasksNamed([one, two], 'a')).map((each) => each.length)).toEqual([0, 1]);
});

it('FO6 without a host that fits it is refused with the reason for each', async () => {
  await using places = await openPlaces();
  const { one, two, paths, fleet } = places;
  const lonely = gitRepository(one.world.taskDir('lonely'));
  const ask = async (root_folder: string, placement: object, more: object = {}) => {
    const answer = await place(one.daemon.url, 'greet', { root_folder, placement, ...more });
    return [refusal(answer), answer.body.error?.message];
  };
  const at = '409 no_host_fits';
  expect(await ask(lonely, { host: 'two' })).toEqual([
    at,
    'no host fits. one: another host was named; two: the project has no remote to find it by on another host',
  ]);
  expect(await ask(paths.one, { host: 'any', labels: ['tpu'] })).toEqual([
    at,
    'no host fits. one: has no label tpu; two: has no label tpu',
  ]);
  expect((await ask(paths.one, { host: 'nine' }))[0]).toBe('404 host_unknown');
  expect((await ask('/etc', { host: 'any' }))[0]).toBe('400 outside_roots');
  const first = await place(one.daemon.url, 'first', { root_folder: paths.one });
  expect(first.status).toBe(200);
  expect((await ask(paths.one, { host: 'two' }, { depends_on: ['first'] }))[1]).toContain(
    'two: the tasks it waits for are not there',
  );
  fleet.carried.cut(two.id);
  expect(await ask(paths.one, { host: 'two' })).toEqual([
    '503 host_unreachable',
    expect.stringContaining('host two does not answer, and nothing was created'),
  ]);
  const alone = fleet.world();
  const { daemon } = await alone.start();
  const refused = await place(daemon.url, 'greet', { placement: { host: 'any' } }, daemon.token);
  expect(refusal(refused)).toBe(at);
});

it('FO8 what a person may do is decided by the chosen host; the token of a home counts only there', async () => {
  await using places = await openPlaces();
  const { one, two, paths, clock } = places;
  const { token } = (await join(two.api, 'Mia', 'viewer')).api;
  const { token: operator } = (await join(one.api, 'Noa', 'operator')).api;
  await until('the people are shared', async () => {
    clock.advance(100);
    const names = JSON.stringify((await two.api.get('/api/people')).body);
    return names.includes('Noa');
  });
  const body = { root_folder: paths.one, placement: { host: 'two' } };
  expect(refusal(await place(one.daemon.url, 'a', body, token))).toBe('403 role_too_low');
  expect((await place(one.daemon.url, 'b', body, operator)).body).toMatchObject({
    created_by: 'Noa',
    root_folder: paths.two,
  });
  const home = await place(one.daemon.url, 'c', body, one.daemon.token);
  expect([refusal(home), home.body.error?.message]).toEqual([
    '409 no_host_fits',
    expect.stringContaining('two: the token of a home is only valid there'),
  ]);
  const any = { root_folder: paths.one, placement: { host: 'any' } };
  const own = await place(one.daemon.url, 'd', any, one.daemon.token);
  expect(own.body).toMatchObject({ root_folder: paths.one, placed: { host: 'one' } });
  expect((await tasksNamed([one, two], 'a')).flat()).toEqual([]);
});

it('FO7 an answer that is lost is outcome_unknown, and the same request with its id changes nothing', async () => {
  await using places = await openPlaces();
  const { one, two, paths, clock, fleet } = places;
  const body = { root_folder: paths.one, placement: { host: 'any', labels: ['gpu'] } };
  fleet.carried.hold(one.id);
  const request = place(one.daemon.url, 'greet', body);
  // Before time passes: a host that is held hears of no other.
  await until('it was created', async () => (await tasksNamed([two], 'greet')).flat().length === 1);
  const lost = await answered(clock, request);
  expect(refusal(lost)).toBe('504 outcome_unknown');
  const id = String(lost.body.error?.details?.['id']);
  expect(lost.body.error?.message).toContain(`Repeat the request with the id ${id}`);
  fleet.carried.heal(one.id);
  await reaches(one, 'two', clock);
  const again = await place(one.daemon.url, 'greet', { ...body, id });
  expect([again.status, again.body['id']]).toEqual([200, id]);
  expect((await tasksNamed([one, two], 'greet')).map((each) => each.length)).toEqual([0, 1]);
  const other = await place(one.daemon.url, 'greet', { ...body, id, priority: 5 });
  expect(refusal(other)).toBe('409 task_id_taken');
  const direct = { root_folder: paths.two, id };
  expect(refusal(await place(two.daemon.url, 'greet', direct))).toBe('409 task_id_taken');
  await two.api.send('DELETE', '/api/v1/tasks/by-name/greet');
  expect(refusal(await place(one.daemon.url, 'greet', { ...body, id }))).toBe('404 task_unknown');
});

it('FO7 a host that does not answer at all was not asked: the next one that fits is', async () => {
  await using places = await openPlaces();
  const { one, two, paths, fleet } = places;
  const carrier = fleet.carried.carriers.get(two.id);
  if (carrier !== undefined) carrier.accept = null;
  const more = { root_folder: paths.one, depends_on: [] };
  const named = await place(one.daemon.url, 'a', { ...more, placement: { host: 'two' } });
  expect(refusal(named)).toBe('503 host_unreachable');
  // It has more slots than this one, so that it is asked first.
  const facts = fleet.carried.presence.get(two.id)?.facts;
  if (facts !== undefined) await carrier?.present({ ...facts, free_slots: 50 });
  const { body } = await place(one.daemon.url, 'b', { ...more, placement: { host: 'any' } });
  expect(body['placed']).toMatchObject({
    host: 'one',
    hosts: [
      { name: 'one', fits: true },
      { name: 'two', fits: false, reasons: [{ code: 'no_answer' }] },
    ],
  });
  expect((await tasksNamed([one, two], 'a')).flat()).toEqual([]);
});

it('FH28 a task created by a newer host is passed on, with the values that this one does not know', async () => {
  await using places = await openPlaces();
  const { one, two, paths, fleet } = places;
  const carrier = fleet.carried.carriers.get(two.id);
  const task = { task_name: 'a', status: 'DREAMING', moods: ['calm'] };
  if (carrier !== undefined) {
    carrier.accept = (head, channel) =>
      serveRequest(head, channel, async () => Promise.resolve(Response.json(task)));
  }
  const body = { root_folder: paths.one, placement: { host: 'two' } };
  const placed = await place(one.daemon.url, 'a', body);
  expect([placed.status, placed.body]).toEqual([200, task]);
});

it('FO9 through random faults between hosts each task exists exactly once', async () => {
  await using places = await openPlaces();
  const { one, two, paths, clock, fleet } = places;
  const carrier = fleet.carried.carriers.get(two.id);
  await seeded(async (random) => {
    for (let n = 0; n < TASKS; n += 1) {
      const name = `task-${n}`;
      const body = {
        id: randomUUID(),
        root_folder: paths.one,
        placement: random.chance(0.5) ? { host: 'any' } : { host: 'any', labels: ['gpu'] },
      };
      const facts = fleet.carried.presence.get(two.id)?.facts;
      if (facts !== undefined) await carrier?.present({ ...facts, free_slots: 50 });
      for (let tries = 0; ; tries += 1) {
        const fault = tries > 3 ? 'none' : random.pick(['none', 'answer', 'request', 'cut']);
        if (fault === 'answer') fleet.carried.hold(one.id);
        if (fault === 'request') fleet.carried.hold(two.id);
        const request = place(one.daemon.url, name, body);
        const begun = new Promise((resolve) => setImmediate(resolve));
        if (fault === 'cut') await begun.then(() => fleet.carried.cut(two.id));
        const { status } = await answered(clock, request);
        for (const { id } of [one, two]) fleet.carried.heal(id);
        await reaches(one, 'two', clock);
        if (status === 200) break;
        // From the fifth on nothing fails between them.
        expect(tries).toBeLessThan(20);
        expect([409, 503, 504]).toContain(status);
      }
      const found = (await tasksNamed([one, two], name)).flat();
      expect(found.map(({ id }) => id)).toEqual([body.id]);
    }
  });
});
