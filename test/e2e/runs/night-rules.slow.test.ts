/** Rules for a night without people, set on the page: the reserve, unanswered questions. */
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('FP12 a share of the windows is kept, changed and given back on the page', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.goto(`${api.url}/usage`);
  const panel = page.getByRole('region', { name: 'Kept for people' });
  await panel.getByText('Nothing is kept.').waitFor();
  await panel.getByRole('button', { name: 'Keep a share' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Hours').fill('every day');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('“every day” cannot be read.').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByLabel('Hours').fill('mon-sun 0-24 50/30');
  await dialog.getByLabel('Time zone').fill('Europe/Berlin');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('5-hour window: unknown, work begins below 50 %').waitFor();
  await panel.getByText('Kept for people: ').waitFor();
  const policy = (await api.get('/api/reserve')).body['policy'];
  expect(policy).toMatchObject({ zone: 'Europe/Berlin', hours: [{ five_hour: 50, weekly: 30 }] });
  expect(await scanAccessibility(page)).toEqual([]);

  await panel.getByRole('button', { name: 'Keep nothing' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep nothing' }).click();
  await panel.getByText('Nothing is kept.').waitFor();
  expect((await api.get('/api/reserve')).body['policy']).toBeNull();
});

it('RE37 a rule for unanswered questions is set, tried, switched on and removed on the page', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.goto(`${api.url}/inbox`);
  const panel = page.getByRole('region', { name: 'Unanswered questions' });
  await panel.getByText('No rules: questions wait for a person.').waitFor();
  await panel.getByRole('button', { name: 'Set rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Minutes for a person').fill('soon');
  await dialog.getByRole('button', { name: 'Set rule' }).click();
  await dialog.getByText('Enter a number of minutes.').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByLabel('Minutes for a person').fill('20');
  await dialog.getByRole('button', { name: 'Set rule' }).click();
  const rule = panel.getByRole('listitem');
  await rule.getByText('Questions: after 20 min escalate in the inbox').waitFor();
  expect(await rule.getByRole('button', { name: 'Switch on' }).count()).toBe(0);
  await rule.getByRole('button', { name: 'Try on past questions' }).click();
  await rule.getByText('0 of 0 past questions would have been decided').waitFor();
  await rule.getByRole('button', { name: 'Switch on' }).click();
  await rule.getByText('On.').waitFor();
  expect((await api.get('/api/question-rules')).body['rules']).toMatchObject([{ is_on: true }]);
  expect(await scanAccessibility(page)).toEqual([]);
  await rule.getByRole('button', { name: 'Remove' }).click();
  await panel.getByText('No rules: questions wait for a person.').waitFor();
});
