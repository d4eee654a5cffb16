/** The font of the page has every symbol that terminals of agents show, each as wide as one cell. */
import { expect, it } from 'vitest';
import { openDashboard, openSession, screenOf, useBrowser } from '../../support/browser/browser.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const SYMBOLS = '⎿⏸❯⏵⏺●✻✽✶✳✢·│─╭╮╯╰┌┐└┘├┤┬┴┼━║▌█▀▄░▒▓☐☒✔✗→←↑↓↳⌘⏎⚠※…⠋⠹';

it('PG16 symbols of terminals come from the font of the page, one cell wide', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  expect((await fetch(`${api.url}/font-license.txt`)).status).toBe(200);
  await openShell(api, 'web', world.taskDir('web'));
  await openSession(page, 'web');
  await screenOf(page, 'web').waitFor();
  await expect
    .poll(async () => page.evaluate(`[...document.fonts].map(({ status }) => status).join()`))
    .toContain('loaded');
  // What the font lacks would come from another one, in another width.
  const widths = await page.evaluate(`(async () => {
    const sizes = { 400: [], 700: [] };
    for (const weight of [400, 700]) {
      const font = weight + ' 100px "Loopwatch Mono"';
      await document.fonts.load(font);
      const canvas = document.createElement('canvas').getContext('2d');
      canvas.font = font + ', serif';
      for (const symbol of ${JSON.stringify(SYMBOLS)}) {
        const { width } = canvas.measureText(symbol);
        if (Math.abs(width - 60) > 0.01) sizes[weight].push(symbol + ' ' + width);
      }
    }
    return sizes;
  })()`);
  expect(widths).toEqual({ 400: [], 700: [] });
});
