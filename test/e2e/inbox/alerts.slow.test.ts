/** The alerts page: rules created, tested, followed, switched and deleted by a person. */
import { createHmac } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { makeDeadDelivery } from '../../support/alerts/dead-delivery.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { until } from '../../support/house/until.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

async function openAlerts(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Alerts', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
}

function rule(page: Page, name: string): Locator {
  return page.getByRole('article', { name, exact: true });
}

it('AP4, AP8, AL5, AL12, AL81 a preset becomes a signed alert that is tested, delivered, turned off and deleted', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await openAlerts(page);
  await page.getByRole('heading', { name: 'No alerts yet' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Alert me when a loop fails' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Name').inputValue()).toBe('A loop failed');
  expect(await dialog.getByLabel('A loop failed').isChecked()).toBe(true);
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByLabel('Other events').fill('session.created');
  await dialog.getByRole('switch', { name: 'Group repeats' }).click();
  await dialog.getByLabel('At most one message every').fill('5');
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create alert' }).click();

  await dialog.getByText('it is not shown again').waitFor();
  const secret = await dialog.locator('code', { hasText: /^whsec_.{40}/ }).innerText();
  await dialog.getByRole('button', { name: 'Test A loop failed' }).click();
  await dialog.getByText('Test delivered').waitFor();
  // What the page reports about a delivery is true.
  const [got] = receiver.got;
  const {
    'webhook-id': id,
    'webhook-timestamp': at,
    'webhook-signature': signature,
  } = got?.headers ?? {};
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const text = `${String(id)}.${String(at)}.${got?.body ?? ''}`;
  expect(signature).toBe(`v1,${createHmac('sha256', key).update(text).digest('base64')}`);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await rule(page, 'A loop failed').getByText('Nothing sent yet.').waitFor();
  await rule(page, 'A loop failed').getByText('At most one message every 5 min').waitFor();
  await page.getByText(secret).waitFor({ state: 'detached' });

  // Live, without a reload.
  await api.openSession('web', world.taskDir('web'));
  await rule(page, 'A loop failed').getByText('Delivered (204)').waitFor();
  await rule(page, 'A loop failed').getByText('1 sent').waitFor();
  await page.getByText('View payload').click();
  const body = await page.getByLabel('Payload').innerText();
  expect(JSON.parse(body)).toEqual(receiver.bodies.at(-1));
  expect(await scanAccessibility(page)).toEqual([]);

  await rule(page, 'A loop failed').getByRole('switch').click();
  await rule(page, 'A loop failed').getByText('Off', { exact: true }).waitFor();
  expect((await api.get('/api/alerts')).body['alerts']).toMatchObject([
    { enabled: false, digest_minutes: 5 },
  ]);
  await page.getByRole('button', { name: 'Delete A loop failed' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No alerts yet' }).waitFor();
  expect((await api.get('/api/alerts')).body['alerts']).toEqual([]);
});

it('AP7, PG4 the errors of a rule are shown at their fields, and nothing typed is lost', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await openAlerts(page);
  await page.getByRole('button', { name: 'Alert me when an agent needs attention' }).click();
  const dialog = page.getByRole('dialog');
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  const refused = async (label: string, text: string) => {
    await dialog.getByRole('button', { name: 'Create alert' }).click();
    await dialog.getByText(text).waitFor();
    await field(label).and(dialog.locator('[aria-invalid=true]:focus')).waitFor();
  };
  await refused('URL', 'Enter a URL.');
  await field('URL').fill('ftp://example.org');
  await field('Sessions').fill('not!a-name');
  await field('Other events').fill('auto.nothing');
  await refused('URL', 'an http or https URL');
  for (const label of ['Sessions', 'Other events']) {
    expect(await field(label).getAttribute('aria-invalid')).toBe('true');
  }
  await field('URL').fill('https://example.org/hook');
  await field('Sessions').fill('web, api');
  await field('Other events').fill('auto.quota_entered session.*');
  await dialog.getByRole('switch', { name: 'Quiet hours' }).click();
  await field('Time zone').fill('Mars/Base');
  await refused('Time zone', 'an IANA time zone');
  await field('Time zone').fill('Europe/Berlin');
  await field('To').fill('22:00');
  await refused('To', 'end at a different time');
  await field('To').fill('06:30');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect((await api.get('/api/alerts')).body['alerts']).toMatchObject([
    {
      types: ['attention.raised', 'auto.quota_entered', 'session.*'],
      sessions: ['web', 'api'],
      quiet_hours: { from: '22:00', to: '06:30', time_zone: 'Europe/Berlin' },
      target: { kind: 'webhook', url: 'https://example.org/hook' },
    },
  ]);
});

it('AP5, AL11, AL25 an alert that failed for good says why, and is delivered once its receiver works', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open((response) => {
    response.writeHead(410).end('moved away <b>for good</b>\nask the team');
  });
  const { api } = await world.start();
  const target = { kind: 'webhook', url: receiver.url };
  await api.send('POST', '/api/alerts', { name: 'pager', types: ['session.created'], target });
  await using page = await openDashboard(api);
  await openAlerts(page);
  await page.getByRole('button', { name: 'Test pager' }).click();
  await rule(page, 'pager').getByText('Test failed').waitFor();
  await rule(page, 'pager').getByText('moved away <b>for good</b>').waitFor();
  await api.openSession('web', world.taskDir('web'));
  await rule(page, 'pager').getByText('Failed: HTTP 410').waitFor();
  await rule(page, 'pager').getByText('Off', { exact: true }).waitFor();
  await page.getByText('Turn the alert on to retry.').waitFor();
  receiver.answer = withStatus(200);
  await rule(page, 'pager').getByRole('switch').click();
  await page.getByRole('button', { name: 'Retry' }).click();
  await rule(page, 'pager').getByText('Delivered (200)').waitFor();
  await page.getByText('2 attempts: 200').waitFor();
  // Filtered by state, the delivery log is empty.
  await page
    .getByText(/^Failed/)
    .last()
    .click();
  await page.getByText('No deliveries in this state.').waitFor();
});

it('AP6 a person who is not an admin sees the alerts and cannot change them', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open();
  const { api } = await world.start();
  const target = { kind: 'webhook', url: `${receiver.url}/secret-path` };
  await api.send('POST', '/api/alerts', { name: 'desk', types: ['session.created'], target });
  const { api: mia } = await join(api, 'Mia', 'operator');
  await using page = await openDashboard(mia);
  await openAlerts(page);
  await rule(page, 'desk').getByText('On', { exact: true }).waitFor();
  expect(await rule(page, 'desk').getByRole('switch').count()).toBe(0);
  for (const name of ['New alert', 'Test desk', 'Change desk', 'Delete desk']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  }
});

it('AP40, AP41, AL60 a service is set up in a form, tested, and previewed as it arrived', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open(withStatus(200));
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await openAlerts(page);
  await page.getByRole('button', { name: 'Alert me when a loop fails' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Send to').selectOption('ntfy');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await dialog.getByText('Enter: Topic.').waitFor();
  await dialog.getByLabel('Topic').fill('my loops');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await dialog.getByText('must be 1 to 64 letters').waitFor();
  await dialog.getByLabel('Topic').fill('my-loops');
  await dialog.getByLabel('Server', { exact: true }).fill(`http://127.0.0.1:${receiver.port}`);
  await dialog.getByLabel('Access token').fill('tk_secret');
  await dialog.getByLabel('Other events').fill('session.created');
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await dialog.getByRole('button', { name: 'Test A loop failed' }).click();
  await dialog.getByText('Test delivered').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await api.openSession('web', world.taskDir('web'));
  await rule(page, 'A loop failed').getByText('Delivered (200)').waitFor();
  await rule(page, 'A loop failed').getByText('Preview').click();
  const preview = rule(page, 'A loop failed').getByRole('group', { name: 'Preview' });
  const sent = JSON.parse(receiver.got.at(-1)?.body ?? '') as { title: string; message: string };
  await preview.getByText(sent.title, { exact: true }).waitFor();
  await preview.getByText(sent.message.split('\n')[0] ?? '').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  // A kept secret is not shown again, and not needed again.
  await page.getByRole('button', { name: 'Edit A loop failed' }).click();
  expect(await dialog.getByLabel('Access token').inputValue()).toBe('');
  await dialog.getByLabel('Topic').fill('other');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await rule(page, 'A loop failed').getByText('other at').waitFor();
  expect(await page.content()).not.toContain('tk_secret');
});

it('AP42, AP43, AL69, AL70 an alert with a step is acknowledged from its link, without a login, and on the page', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open(withStatus(200));
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await openAlerts(page);
  await page.getByRole('button', { name: 'Alert me when a loop fails' }).click();
  const dialog = page.getByRole('dialog');
  const server = `http://127.0.0.1:${receiver.port}`;
  await dialog.getByLabel('Send to').selectOption('ntfy');
  await dialog.getByLabel('Topic').fill('mia');
  await dialog.getByLabel('Server', { exact: true }).fill(server);
  await dialog.getByLabel('Other events').fill('session.created');
  await dialog.getByRole('button', { name: 'Add an escalation step' }).click();
  const step = dialog.getByRole('group', { name: 'Step 1' });
  await step.getByLabel('After minutes').fill('30');
  await step.getByLabel('Send to').selectOption('ntfy');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await step.getByText('Enter: Topic.').waitFor();
  await step.getByLabel('Topic').fill('noor');
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await rule(page, 'A loop failed').getByText('After 30 min').waitFor();
  await api.openSession('web', world.taskDir('web'));
  await api.openSession('api', world.taskDir('api'));
  await page
    .getByText(/Step 1 of 1 \(ntfy\) in/)
    .first()
    .waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  const ofWeb = page.getByRole('button', { name: /^Acknowledge Session web/ });
  await ofWeb.click();
  await page.getByText(/By admin, after/).waitFor();
  await ofWeb.waitFor({ state: 'detached' });
  // Nothing but the button uses the link of the other.
  const links = await until('both messages', () => {
    const sent = receiver.bodies as unknown as { title: string; actions: { url: string }[] }[];
    const found = sent.find(({ title }) => title.startsWith('Session api'));
    return found?.actions[0]?.url;
  });
  const bot = await fetch(links);
  expect([bot.status, (await bot.text()).includes('Acknowledged')]).toEqual([200, false]);
  const other = await page.context().browser()?.newPage();
  if (other === undefined) return expect.fail();
  await other.goto(links);
  await other.getByRole('heading', { name: 'Acknowledge this alert' }).waitFor();
  expect(await scanAccessibility(other)).toEqual([]);
  const open = async () => {
    const { body } = await api.get('/api/alerts/incidents');
    return (body['incidents'] as unknown[]).length;
  };
  expect(await open()).toBe(1);
  await other.getByRole('button', { name: 'Acknowledge' }).click();
  await other.getByText('Acknowledged.').waitFor();
  expect(await open()).toBe(0);
  await other.reload();
  await other.getByRole('button', { name: 'Acknowledge' }).click();
  await other.getByText(/already acknowledged by link in ntfy/i).waitFor();
  await other.close();
  await page.getByText(/By link in ntfy, after/).waitFor();
});

it('AP44 an alert that reached no one is red, with its error and what to do', async () => {
  await using world = new World();
  const { api } = await world.start();
  await makeDeadDelivery(api, world.taskDir('web'));
  await using page = await openDashboard(api);
  await openAlerts(page);
  const notice = page.getByText('gone reached no one:').locator('..');
  await notice.waitFor();
  const text = await notice.innerText();
  expect(text).toContain('HTTP 410');
  expect(text).toContain('Fix its target, then turn it on and retry the delivery in the log.');
  expect(await scanAccessibility(page)).toEqual([]);
});
