/** Logging in and out. */
import { expect, it } from 'vitest';
import {
  connection,
  loginLink,
  openDashboard,
  openGuarded,
  useBrowser,
} from '../../support/browser/browser.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('PG1 the printed link logs in, and its code is removed from address bar and history', async () => {
  await using world = new World();
  const { daemon, api } = await world.start();
  await using context = await openGuarded(api);
  const page = await context.newPage();
  await page.goto(daemon.loginLink());
  await connection(page, 'Live').waitFor();
  expect(page.url()).toBe(`${daemon.url}/`);
  await page.goto('about:blank');
  await page.goBack();
  await connection(page, 'Live').waitFor();
  expect(page.url()).toBe(`${daemon.url}/`);
});

it('PG1, AW4 a second tab is logged in, and a log out counts for both and leaves nothing', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using first = await openDashboard(api);
  const second = await first.context().newPage();
  await second.goto(api.url);
  await connection(second, 'Live').waitFor();
  await second.getByRole('button', { name: 'Log out' }).click();
  await first.getByRole('button', { name: 'Log in' }).waitFor();
  await first.reload();
  await first.getByRole('button', { name: 'Log in' }).waitFor();
  expect(await first.evaluate('localStorage.length')).toBe(0);
});

it('PG1 a used link is explained, and a pasted token or link logs in instead', async () => {
  await using world = new World();
  const { api } = await world.start();
  const link = await loginLink(api);
  const code = link.slice(link.indexOf('k=') + 2);
  expect((await api.send('POST', '/api/login', { code })).status).toBe(200);
  await using context = await openGuarded(api);
  const page = await context.newPage();
  await page.goto(link);
  await page.getByText('This link was already used or has expired.').waitFor();
  expect(page.url()).toBe(`${api.url}/`);

  const field = page.getByLabel('Login link or token');
  const logIn = page.getByRole('button', { name: 'Log in' });
  await field.fill('not-the-token-of-this-daemon');
  await logIn.click();
  await page.getByText('The daemon does not accept this token.').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');

  await field.fill(api.token);
  await logIn.click();
  await connection(page, 'Live').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await field.fill(await loginLink(api));
  await field.press('Enter');
  await connection(page, 'Live').waitFor();
});

it('PG1 a link opened by a person who is logged in leaves no code in the address bar', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  const another = await page.context().newPage();
  await another.goto(await loginLink(api));
  await connection(another, 'Live').waitFor();
  expect(another.url()).toBe(`${api.url}/`);
});

it('PG1 a token that the daemon no longer takes leads back to the login', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  const account = JSON.stringify({ token: 'a token of yesterday', role: 'admin' });
  await page.evaluate(`localStorage.setItem('loopwatch.account', ${JSON.stringify(account)})`);
  await page.reload();
  await page.getByText('This browser’s token is no longer valid').waitFor();
  await page.getByLabel('Login link or token').fill(api.token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await connection(page, 'Live').waitFor();
});
