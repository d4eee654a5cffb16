/** The terminal on the page when its connection breaks, and when output exceeds what can be shown. */
import { expect, it } from 'vitest';
import { openDashboard, openSession, useBrowser } from '../../support/browser/browser.ts';
import { openWired, rowsIn, takeControl } from '../../support/browser/terminal-page.ts';
import { openShell, rowsOf, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('TP4, TP15 a lost connection is never shown as live, refuses keys visibly, and comes back with control', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('web'));
  await using wired = await openWired(api, 'web');
  const { page, wire } = wired;
  const terminal = await takeControl(page, 'web');
  await page.keyboard.type('clear; echo before $((40+2))\n');
  await rowsIn(terminal).getByText('before 42', { exact: true }).waitFor();

  wire.isBlocked = true;
  await wire.cut();
  await terminal.getByText('Not live: connection lost.').waitFor();
  expect(await terminal.getByText('You have control').count()).toBe(0);
  const keys = wire.typed;
  await page.keyboard.type('echo into the void\n');
  await terminal.getByText('Not typed: not connected to the terminal.').waitFor();
  await typeInto(api, 'web', 'echo meanwhile $((40+2))');
  await until('it ran', async () => (await rowsOf(api, 'web')).includes('meanwhile 42'));
  expect(await rowsIn(terminal).getByText('meanwhile 42', { exact: true }).count()).toBe(0);

  wire.isBlocked = false;
  await terminal.getByText('You have control', { exact: true }).waitFor();
  await rowsIn(terminal).getByText('meanwhile 42', { exact: true }).waitFor();
  expect(wire.typed).toBe(keys);
  await page.keyboard.type('clear; echo after $((40+2))\n');
  await rowsIn(terminal).getByText('after 42', { exact: true }).waitFor();
  expect((await rowsOf(api, 'web')).join('\n')).not.toContain('void');

  await api.send('DELETE', '/api/sessions/web');
  await page.getByText('This session is closed.').waitFor();
});

it('TP4 control that another person took meanwhile stays with them', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('web'));
  await using wired = await openWired(api, 'web');
  const { page, wire } = wired;
  const terminal = await takeControl(page, 'web');
  wire.isBlocked = true;
  await wire.cut();
  await terminal.getByText('Not live', { exact: true }).waitFor();
  await using other = await openDashboard(api);
  await openSession(other, 'web');
  const theirs = await takeControl(other, 'web');
  wire.isBlocked = false;
  await terminal.getByText('admin has control. You are view-only.').waitFor();
  await theirs.getByText('You have control', { exact: true }).waitFor();
});

it('TP9 a flood leaves the page responsive: the end arrives, and the keys after it', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('web'));
  await using page = await openDashboard(api);
  await openSession(page, 'web');
  const terminal = await takeControl(page, 'web');
  await page.keyboard.type('clear; yes | head -c 10000000; echo the end of $((40+2))\n');
  await rowsIn(terminal).getByText('y', { exact: true }).first().waitFor();
  await terminal.getByRole('button', { name: 'Search the terminal' }).click();
  await terminal.getByRole('button', { name: 'Close search' }).click();
  await rowsIn(terminal).getByText('the end of 42', { exact: true }).waitFor();
  await page.keyboard.type('clear; echo still $((40+2))\n');
  await rowsIn(terminal).getByText('still 42', { exact: true }).waitFor();
});
