/** Three hosts on a real NATS server: each task goes to the one that suits it. */
import { expect, it } from 'vitest';
import { FleetWorld, reaches } from '../../support/fleet/fleet-world.ts';
import { NatsServer } from '../../support/fleet/nats-server.ts';
import { place, SharedProject, tasksNamed } from '../../support/tasks/shared-project.ts';
import { until } from '../../support/house/until.ts';

it('FO1 FO4 FO5 of three hosts the one with the label or with free slots creates the task', async () => {
  await using server = await NatsServer.start();
  await using fleet = new FleetWorld();
  using project = new SharedProject();
  const paths: Record<string, string> = {};
  const host = async (name: string, settings: Record<string, string>) =>
    fleet.host(name, settings, server.url, (world) => {
      paths[name] = project.clone(world, `src/${name}`);
    });
  const one = await host('one', { LOOPWATCH_TASK_SLOTS: '1' });
  const two = await host('two', { LOOPWATCH_TASK_SLOTS: '1', LOOPWATCH_HOST_LABELS: 'gpu' });
  const six = await host('six', { LOOPWATCH_TASK_SLOTS: '5' });
  const hosts = [one, two, six];
  for (const name of ['two', 'six']) await reaches(one, name);
  const root_folder = paths['one'];
  const put = async (name: string, placement: object) => {
    const { body } = await place(one.daemon.url, name, { root_folder, placement });
    return body['root_folder'];
  };
  await until('the repositories are known', async () => {
    const { status } = await place(one.daemon.url, 'probe', {
      root_folder,
      placement: { host: 'six' },
    });
    return status === 200;
  });
  await until('those of the other too', async () => {
    return (await put('labelled', { host: 'any', labels: ['gpu'] })) === paths['two'];
  });
  expect(await put('free', { host: 'any' })).toBe(paths['six']);
  for (const name of ['probe', 'labelled', 'free']) {
    expect((await tasksNamed(hosts, name)).flat()).toHaveLength(1);
  }
});
