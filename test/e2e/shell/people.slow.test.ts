/** People in their browsers: invited, limited to their role, and updated at once when it changes. */
import { expect, it } from 'vitest';
import {
  card,
  connection,
  loginLink,
  openDashboard,
  openGuarded,
  openSession,
  useBrowser,
} from '../../support/browser/browser.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { BASH_REQUEST, askPerson } from '../../support/agents/need-person.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const STAY = { steps: [{ do: 'silence', ms: 600_000 }] };

it('PE14 a viewer sees no action on any card or page, and a forged one is 403', async () => {
  await using world = new World();
  const { api } = await world.start();
  const directory = world.taskDir('busy', STAY);
  await api.openSession('busy', directory);
  await api.startLoop('busy', directory);
  const { id: asked } = await askPerson(world, api, 'asking', BASH_REQUEST);
  const { api: noor } = await join(api, 'Noor', 'viewer');
  await using page = await openDashboard(noor);
  await card(page, 'busy').waitFor();
  const actions =
    /start|stop|restart|close|remove|allow|deny|dismiss|send|demo|change|answer|invite|control|interrupt|test|delete/i;
  const none = async (where: string) =>
    expect([where, await page.getByRole('button', { name: actions }).allTextContents()]).toEqual([
      where,
      [],
    ]);
  await none('overview');
  await page.keyboard.press('n');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await openSession(page, 'busy');
  await none('session');
  // Inputs that only filter or scroll are no action.
  const written = 'input:not([type=range], [type=checkbox]), textarea, select';
  expect(await page.locator(`main :is(${written})`).count()).toBe(0);
  for (const name of ['Inbox', 'History', 'Alerts', 'Checks']) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await none(name);
  }
  const forged = (method: string, path: string, body?: object) =>
    page.evaluate(
      async ([sent, to, token, text]) =>
        (
          await fetch(to, {
            method: sent,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            ...(text === '' ? {} : { body: text }),
          })
        ).status,
      [method, path, noor.token, body === undefined ? '' : JSON.stringify(body)] as const,
    );
  const session = '/api/sessions/busy';
  expect([
    await forged('DELETE', `${session}/task-auto`),
    await forged('POST', `${session}/input`, { text: 'x', submit: true }),
    await forged('POST', `/api/attention/${asked}/answer`, { decision: 'allow' }),
    await forged('POST', '/api/people', { name: 'Eve', role: 'admin' }),
    await forged('GET', '/api/people'),
  ]).toEqual([403, 403, 403, 403, 403]);
  expect((await api.loop('busy')).status).toBe('running');
});

it('PE15 an admin invites on the page, and the other person’s page shows a new role or a removal at once', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using admin = await openDashboard(api);
  await admin.getByRole('link', { name: 'People' }).click();
  await admin.getByText('No members yet').waitFor();
  await admin.getByLabel('Name', { exact: true }).fill('Admin');
  await admin.getByRole('button', { name: 'Create link' }).click();
  await admin.getByText('is reserved for the daemon').waitFor();
  await admin.getByLabel('Name', { exact: true }).fill('Mia');
  await admin.getByText('Operator', { exact: true }).first().click();
  await admin.getByRole('button', { name: 'Create link' }).click();
  const link = await admin.getByLabel('Login link for Mia').inputValue();

  await using context = await openGuarded(api);
  const mia = await context.newPage();
  await mia.goto(link);
  await connection(mia, 'Live').waitFor();
  const start = mia.getByRole('banner').getByRole('button', { name: 'Start a loop' });
  await start.waitFor();
  await mia.getByText('Logged in as Mia (operator)').waitFor();
  await admin.getByText('seen').first().waitFor();

  await admin.getByLabel('Role of Mia').selectOption('viewer');
  await mia.getByText('Logged in as Mia (viewer)').waitFor();
  await start.waitFor({ state: 'detached' });
  await connection(mia, 'Live').waitFor();

  await admin.getByRole('button', { name: 'Remove Mia' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Remove Mia' }).click();
  await mia.getByText('This browser’s token is no longer valid').waitFor();
  await admin.getByText('No members yet').waitFor();
});

it('PE16 a link opened by a person who is logged in changes nothing until they confirm', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { api: mia } = await join(api, 'Mia', 'viewer');
  await using page = await openDashboard(api);
  const link = await loginLink(mia);
  await page.goto(link);
  const dialog = page.getByRole('dialog', { name: 'Use this login link?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Logged in as admin (admin)').waitFor();
  await page.goto('about:blank');
  await page.goto(link);
  await dialog.getByRole('button', { name: 'Use the link' }).click();
  await page.getByText('Logged in as Mia (viewer)').waitFor();
});

it('PE17 a pasted token is known by its role, not taken for an operator’s', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { api: noor } = await join(api, 'Noor', 'viewer');
  await using context = await openGuarded(api);
  const page = await context.newPage();
  await page.goto(api.url);
  await page.getByLabel('Login link or token').fill(noor.token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Logged in as Noor (viewer)').waitFor();
  expect(await page.getByRole('button', { name: 'Start a loop' }).count()).toBe(0);
});
