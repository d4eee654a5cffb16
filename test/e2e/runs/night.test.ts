/** The night on the page: checked when asked, problems first, each with what to do. */
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('NI10 the page checks the night when asked, problems first, each with its next step', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.goto(`${api.url}/checks`);
  const night = page.getByRole('region', { name: 'Tonight' });
  await night.getByRole('button', { name: 'Check the night' }).click();
  await night.getByText(/^1 problem before /).waitFor();
  const first = night.getByRole('listitem').first();
  expect(await first.innerText()).toContain('No alert is on');
  await first.getByText('loopwatch alert add night --type attention.raised').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  const target = { kind: 'command', argv: ['/bin/true'] };
  const rule = { name: 'Desk', types: ['attention.raised'], target };
  const { id } = (await api.send('POST', '/api/alerts', rule)).body as unknown as { id: string };
  await api.send('POST', `/api/alerts/${id}/test`);
  await night.getByRole('button', { name: 'Check the night' }).click();
  await night.getByText(/^Ready for the night, until /).waitFor();
});
