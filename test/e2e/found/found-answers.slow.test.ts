/** Sessions started without Loopwatch, answered on the page after one click. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { expectListed, FoundWorld } from '../../support/found/found-world.ts';
import { BASH_REQUEST, QUESTION_REQUEST } from '../../support/agents/need-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { until } from '../../support/house/until.ts';
import { UserTmux } from '../../support/terminals/user-tmux.ts';
import { commandsIn, runHook, settingsFile } from '../../support/daemon/user-hook.ts';

useBrowser();

const SETTINGS = '{\n  "model": "opus"\n}\n';
const WIDE = { viewport: { width: 1440, height: 900 } };

it('FS40 one click shows the change and makes it; then a card and a page answer; another takes it back', async () => {
  await using stage = new FoundWorld();
  stage.world.writeClient('2.1.330 (Claude Code)', 'exit 1');
  writeFileSync(settingsFile(stage), SETTINGS);
  const { api } = await stage.world.start();
  const one = await stage.client({ name: 'shop', status: 'busy' });
  await expectListed(api, one);
  await using page = await openDashboard(api, WIDE);
  await page.getByRole('button', { name: 'Answer them here…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Answer sessions you start yourself' });
  await dialog.getByText('"PermissionRequest": [').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  expect(readFileSync(settingsFile(stage), 'utf8')).toBe(SETTINGS);
  await dialog.getByRole('button', { name: 'Install' }).click();
  await until('its hooks', () => commandsIn(stage).length === 1);

  const [command = ''] = commandsIn(stage);
  const waiting = { status: 'waiting', waitingFor: 'permission prompt' };
  one.write({ ...waiting, statusUpdatedAt: Date.now() });
  const first = runHook(command, one, BASH_REQUEST);
  const card = page.getByRole('article', { name: 'shop', exact: true });
  await card.getByText('command: touch made-by-stub.txt').waitFor();
  await card.getByRole('button', { name: /^Allow/ }).click();
  expect((await first.ended).stdout).toContain('"behavior":"allow"');
  one.write({ status: 'busy', waitingFor: undefined, statusUpdatedAt: Date.now() });
  await card.getByText('Working').first().waitFor();

  await card.getByRole('link', { name: 'shop' }).click();
  one.write({ ...waiting, waitingFor: 'input needed', statusUpdatedAt: Date.now() });
  const second = runHook(command, one, QUESTION_REQUEST);
  await page.getByText('Which colour should the button be?').first().waitFor();
  await page.getByRole('button', { name: 'Blue', exact: true }).click();
  expect((await second.ended).stdout).toContain('Blue');

  await page.getByRole('link', { name: 'Overview' }).first().click();
  await page.getByRole('button', { name: 'Answer them here…' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await until('its settings', () => readFileSync(settingsFile(stage), 'utf8') === SETTINGS);
});

it('FS40 what cannot be changed is said with its reason', async () => {
  await using stage = new FoundWorld();
  writeFileSync(settingsFile(stage), '{ "model": ');
  const { api } = await stage.world.start();
  await expectListed(api, await stage.client());
  await using page = await openDashboard(api, WIDE);
  await page.getByRole('button', { name: 'Answer them here…' }).click();
  await page.getByText('it is not valid JSON').waitFor();
  expect(await page.getByRole('button', { name: 'Install' }).count()).toBe(0);
});

it('FS42 FS43 its page shows its pane as it changes, and starts a loop in its directory', async () => {
  await using stage = new FoundWorld();
  await using tmux = new UserTmux(stage.world);
  const cwd = stage.world.taskDir('shop');
  await tmux.run('new-session', '-d', `read line; echo "it says $line"; exec sleep 1000`);
  const pid = Number(await tmux.run('display-message', '-p', '#{pane_pid}'));
  const { api } = await stage.world.start();
  const one = stage.adopt(pid, { name: 'shop', cwd, status: 'busy' });
  await expectListed(api, one);
  await using page = await openDashboard(api, WIDE);
  await page.getByRole('link', { name: 'shop' }).first().click();
  const screen = page.getByRole('region', { name: 'Screen of this session' });
  await screen.waitFor();
  await tmux.run('send-keys', 'hello', 'Enter');
  await screen.getByText('it says hello').waitFor();
  await page.getByRole('button', { name: 'Start a loop here' }).click();
  const field = page.getByRole('dialog').getByLabel('Task directory');
  expect(await field.inputValue()).toBe(cwd);
});
