/** One account on two hosts of a fleet: what one uses counts on the other. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { World } from '../../support/daemon/world.ts';
import { type FleetHost, FleetWorld, reaches } from '../../support/fleet/fleet-world.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import { until } from '../../support/house/until.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';

/** Between two reports of a host. */
const REPORT_MS = 10_000;

function logIn(world: World, accountUuid: string): void {
  const home = world.environment['HOME'] ?? '';
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ oauthAccount: { accountUuid } }));
}

async function used({ api }: FleetHost, scope: string): Promise<number> {
  const { body } = await api.get('/api/budgets');
  const budgets = body['budgets'] as { scope: string; used: number }[];
  return budgets.find((each) => each.scope === scope)?.used ?? NaN;
}

it('BG13 FP13 a budget counts what another host with the same account used', async () => {
  const clock = new SkipClock();
  await using fleet = new FleetWorld(clock);
  const start = async (name: string, account: string) =>
    fleet.host(name, {}, null, (world) => logIn(world, account));
  const one = await start('one', 'team');
  const two = await start('two', 'team');
  const other = await start('other', 'else');
  for (const host of [one, other]) {
    await reaches(host, 'two');
    for (const scope of ['day', 'all']) {
      const budget = { scope, measure: 'cost', limit: 2 };
      expect((await host.api.send('PUT', '/api/budgets', budget)).status).toBe(200);
    }
  }
  const tasks = new TaskHome(two.world, two.api);
  await tasks.run('fix', ['cost 3', 'say All done.']);
  let seen = NaN;
  await until(
    'its use counts on the other host',
    async () => {
      clock.skip(REPORT_MS);
      seen = await used(one, 'day');
      return seen >= 3;
    },
    () => seen,
  );
  expect(await used(one, 'all')).toBe(seen);
  expect(await used(other, 'day')).toBe(0);
  expect(await used(other, 'all')).toBe(0);
  // Nothing more is dispatched there, and it says why.
  const here = new TaskHome(one.world, one.api);
  await here.run('more', ['say Done.']);
  const { wait } = await here.until('more', 'PAUSED');
  expect(wait).toMatchObject({ reason: 'budget', evidence: [{ witness: 'daemon' }] });
});
