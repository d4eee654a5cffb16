/** What an open page asks the daemon for while events come in: nothing. */
import { expect, it } from 'vitest';
import { card, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { until } from '../../support/house/until.ts';
import { startWaitingLoop } from '../../support/auto/waiting-loop.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const ROUNDS = 250;

it('PG11 five hundred events of a loop and a task cost an open page no request', async () => {
  await using world = new World();
  const { api } = await world.start();
  const change = await startWaitingLoop(world, api);
  const created = await api.send('POST', '/api/v1/tasks', {
    task_name: 'fix',
    description: 'Fix it.',
    root_folder: world.taskDir('shop'),
    use_worktree: false,
  });
  expect(created.status).toBe(200);
  await using page = await openDashboard(api);
  await card(page, 'live').getByText('0 / 20').waitFor();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const { head: before } = (await api.get('/api/status')).body as { head: number };
  for (let round = 1; round <= ROUNDS; round += 1) {
    await change();
    const changed = await api.send('PUT', '/api/v1/tasks/by-name/fix', {
      description: `Fix it, version ${round}.`,
    });
    expect(changed.status).toBe(200);
  }
  const { head } = (await api.get('/api/status')).body as { head: number };
  expect(head - before).toBe(2 * ROUNDS);
  await card(page, 'live').getByText('0 / 270').waitFor();
  expect(requests).toEqual([]);
  // The page is not deaf: what needs a read is read.
  await until('a session is shown', async () => {
    await api.openSession('later', world.taskDir('later')).catch(() => undefined);
    return (await card(page, 'later').count()) === 1;
  });
});
