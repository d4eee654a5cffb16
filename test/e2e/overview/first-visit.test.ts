/** What a first visit waits for: what it shows at once, and nothing else. */
import { expect, it } from 'vitest';
import {
  connection,
  loginLink,
  openDashboard,
  openGuarded,
  useBrowser,
} from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const SESSIONS = 200;

/** Lets no frame begin that the page asked for while `window.holdsFrames` is set. */
const HOLD_FRAMES = `
  const request = window.requestAnimationFrame.bind(window);
  const held = [];
  window.requestAnimationFrame = (frame) => (window.holdsFrames ? held.push(frame) : request(frame));
  window.showFrames = () => {
    window.holdsFrames = false;
    for (const frame of held.splice(0)) request(frame);
  };
`;

it('PG19 what cannot be loaded is said, can be left, and comes once it can', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  // What the page itself loads must be there: it is live before it has all of that.
  await page.getByRole('heading', { name: /^No sessions/ }).waitFor();
  await page.route('**/_app/immutable/chunks/**', async (route) => route.abort());
  await page.keyboard.press('?');
  const failure = page.getByRole('dialog', { name: 'Not loaded' });
  await failure.getByRole('button', { name: 'Reload' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await failure.getByRole('button', { name: 'Close' }).click();
  // Closed is not yet gone: until its event, the page still takes the dialog for open.
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.unroute('**/_app/immutable/chunks/**');
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Go to a page').first().waitFor();
});

it('OV28 the tiles that fit come first; the others have their place, and follow', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using context = await openGuarded(api);
  await context.addInitScript(HOLD_FRAMES);
  const page = await context.newPage();
  await page.route('**/api/sessions', async (route) => {
    const sessions = Array.from({ length: SESSIONS }, (_, n) => ({
      name: `idle-${n}`,
      cwd: '/srv',
      terminal: 'tmux',
      status: 'open',
      owner: null,
      agent: null,
      created_at: '2026-01-01T00:00:00.000Z',
    }));
    await route.fulfill({ json: { sessions } });
  });
  await page.goto(await loginLink(api));
  await connection(page, 'Live').waitFor();
  await page.evaluate('window.holdsFrames = true');
  await page.getByRole('button', { name: 'Show idle' }).click();
  const tiles = page.locator('article');
  await expect.poll(async () => tiles.count()).toBeGreaterThan(0);
  const height = async () => page.evaluate<number>('document.documentElement.scrollHeight');
  const early = await height();
  expect(early).toBeGreaterThan(10 * (page.viewportSize()?.height ?? NaN));
  // How many are drawn at once is for the machine to say; without a frame no other follows.
  expect(await tiles.count()).toBeLessThan(SESSIONS);
  await page.evaluate('window.showFrames()');
  await expect.poll(async () => tiles.count()).toBe(SESSIONS);
  expect(Math.abs((await height()) / early - 1)).toBeLessThan(0.5);
});
