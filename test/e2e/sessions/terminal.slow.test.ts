/** The terminal on the page of a session: loaded on demand, typed into, taken over. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { openDashboard, openSession, screenOf, useBrowser } from '../../support/browser/browser.ts';
import {
  openWired,
  rowsIn,
  takeControl,
  terminalOf,
  viewLive,
} from '../../support/browser/terminal-page.ts';
import { openShell, rowsOf, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

/** A shell in a session named web, and a logged-in page showing it. */
async function openWeb(world: World, api: ApiClient): Promise<Page> {
  await openShell(api, 'web', world.taskDir('web'));
  const page = await openDashboard(api);
  await openSession(page, 'web');
  return page;
}

async function run(page: Page, line: string): Promise<void> {
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

it('TP1, TP2 the snapshot comes first; on request it becomes a terminal of the size of its area', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openWeb(world, api);
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await screenOf(page, 'web').waitFor();
  expect(await page.locator('.xterm').count()).toBe(0);
  expect(loaded.filter((url) => /\.(js|css)$/.test(url))).toEqual([]);

  const terminal = await takeControl(page, 'web');
  expect(loaded.some((url) => url.endsWith('.css'))).toBe(true);
  await run(page, 'clear; echo $((6*7)); stty size');
  await rowsIn(terminal).getByText(/^42$/).waitFor();
  const rows = await rowsIn(terminal).locator('> div').count();
  await rowsIn(terminal)
    .getByText(new RegExp(`^${rows} \\d+$`))
    .waitFor();
  // A smaller window makes a smaller terminal.
  await page.setViewportSize({ width: 800, height: 600 });
  await until('a smaller terminal', async () => {
    return (await rowsIn(terminal).locator('> div').count()) < rows;
  });
  // The page may become smaller in several steps, and the shell answers between two of them.
  await until('the shell has the size of the smaller terminal', async () => {
    await run(page, 'clear; stty size');
    const fewer = await rowsIn(terminal).locator('> div').count();
    const [line = ''] = await rowsIn(terminal).locator('> div').allTextContents();
    return line.startsWith(`${fewer} `);
  });

  await terminal.getByRole('button', { name: 'Show as text' }).click();
  await screenOf(page, 'web')
    .getByText(/^\d+ \d+$/m)
    .waitFor();
  expect(await page.locator('.xterm').count()).toBe(0);
  const sheets = await page.evaluate<number>('document.adoptedStyleSheets.length');
  expect(sheets).toBe(0);
});

it('TP3, TP14 the person who takes over is named at once, the other becomes view-only and can take it back', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using first = await openWeb(world, api);
  const mine = await takeControl(first, 'web');
  await using second = await openDashboard(api);
  await openSession(second, 'web');
  const theirs = await viewLive(second, 'web');
  await theirs.getByText('admin has control', { exact: true }).waitFor();
  await theirs.getByRole('button', { name: 'Take control' }).click();
  await second.getByRole('dialog').getByRole('button', { name: 'Take control' }).click();
  await theirs.getByText('You have control', { exact: true }).waitFor();

  await mine.getByText('admin took control. You are view-only now.').waitFor();
  await run(first, 'echo nobody sees this');
  await mine.getByText('Not typed: you are view-only.').waitFor();
  await run(second, 'clear; echo from the $((1+1))nd');
  await rowsIn(theirs).getByText('from the 2nd', { exact: true }).waitFor();
  await rowsIn(mine).getByText('from the 2nd', { exact: true }).waitFor();
  expect((await rowsOf(api, 'web')).join('\n')).not.toContain('nobody sees this');

  await mine.getByRole('button', { name: 'Take back' }).click();
  await first.getByRole('dialog').getByRole('button', { name: 'Take control' }).click();
  await theirs.getByText('admin took control. You are view-only now.').waitFor();
  await mine.getByRole('button', { name: 'Release' }).click();
  await theirs.getByText('No one has control', { exact: true }).waitFor();
});

it('TP5 a viewer sees the output and types nothing, on the page and on the wire', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('web'));
  await using wired = await openWired(api, 'web');
  const { page, wire } = wired;
  const terminal = await viewLive(page, 'web');
  await typeInto(api, 'web', 'clear; echo seen $((40+2))');
  await rowsIn(terminal).getByText('seen 42', { exact: true }).waitFor();
  await terminal.locator('.xterm-screen').click();
  await page.keyboard.type('echo typed');
  await page.keyboard.press('Enter');
  await terminal.getByText('Not typed: you are view-only. Take control to type.').waitFor();
  // A program that tracks the mouse gets nothing of this one either.
  wire.draw('\u001b[?1003h\u001b[?1006h');
  await terminal.locator('.xterm-screen').click({ position: { x: 30, y: 30 } });
  await typeInto(api, 'web', 'clear; echo still $((40+2))');
  await rowsIn(terminal).getByText('still 42', { exact: true }).waitFor();
  expect(wire.keys).toEqual([]);
  expect(JSON.parse(wire.frames[0] ?? '{}')).toMatchObject({ control: false, take: false });
});

it('TP10 keys belong to the terminal until Ctrl-] then d; without control Tab leaves it', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openWeb(world, api);
  const terminal = await takeControl(page, 'web');
  await terminal.getByText('returns the keyboard to the page').waitFor();
  await run(page, 'clear; echo ?nojkf/');
  await rowsIn(terminal).getByText('?nojkf/', { exact: true }).waitFor();
  await page.keyboard.press('Tab');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await terminal.locator('textarea:focus').waitFor();
  await page.keyboard.press('Control+]');
  await page.keyboard.press('d');
  await terminal.locator('button:focus').waitFor();
  await page.keyboard.press('f');
  await terminal.getByRole('button', { name: 'Leave full screen' }).waitFor();
  expect(await page.locator('main nav[inert]').count()).toBe(1);
  await page.keyboard.press('f');
  await terminal.getByRole('button', { name: 'Full screen', exact: true }).waitFor();
  expect(await page.locator('[inert]').count()).toBe(0);

  await terminal.getByRole('button', { name: 'Release' }).click();
  await terminal.getByText('No one has control', { exact: true }).waitFor();
  await terminal.locator('textarea').focus();
  await page.keyboard.press('Tab');
  expect(await terminal.locator('textarea:focus').count()).toBe(0);
});

it('TP11 a phone gets a bar with the keys its keyboard lacks', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('web'));
  const viewport = { width: 390, height: 844 };
  await using page = await openDashboard(api, { viewport, hasTouch: true, isMobile: true });
  await openSession(page, 'web');
  const terminal = await takeControl(page, 'web');
  const press = async (name: string) => {
    await terminal.getByRole('button', { name, exact: true }).tap();
  };
  // Keys that arrive before the shell has passed on the terminal would reach `cat` in two parts.
  await run(page, 'clear; echo ready; cat -v');
  await rowsIn(terminal).getByText('ready', { exact: true }).waitFor();
  for (const name of ['Esc', 'Shift Tab', 'Left', 'Up', 'Enter']) await press(name);
  await rowsIn(terminal).getByText('^[^[[Z^[[D^[[A', { exact: true }).first().waitFor();
  await terminal.locator('textarea:focus').waitFor({ state: 'attached' });
  await press('Ctrl-C');
  await run(page, 'clear; echo back $((40+2))');
  await rowsIn(terminal).getByText('back 42', { exact: true }).waitFor();
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBe(390);
  expect(await terminalOf(page, 'web').getByText('Ctrl-]').isVisible()).toBe(false);
});

it('TP12 text that scrolled off before anyone watched is found, and copied', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('web'));
  await typeInto(api, 'web', 'clear; for i in $(seq 200); do echo line $i Needle; done');
  await until('the end', async () => (await rowsOf(api, 'web')).includes('line 200 Needle'));
  await using page = await openDashboard(api, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await openSession(page, 'web');
  const terminal = await viewLive(page, 'web');
  await rowsIn(terminal).getByText('line 200 Needle', { exact: true }).waitFor();
  await terminal.getByRole('button', { name: 'Search the terminal' }).click();
  await page.keyboard.type('line 3 needle');
  await terminal.getByText('1 of 1', { exact: true }).waitFor();
  await rowsIn(terminal).getByText('line 3 Needle', { exact: true }).first().waitFor();
  await terminal.getByRole('button', { name: /^Copy/ }).click();
  await terminal.getByText('Selection copied.').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('line 3 Needle');
  await terminal.getByLabel('Match case').click();
  await terminal.getByText('Not found', { exact: true }).waitFor();
});
