/** Careful mode on the page: why nothing is typed, and the one click that changes it. */
import { expect, it } from 'vitest';
import { openDashboard, openSession, useBrowser } from '../../support/browser/browser.ts';
import { newerWorld, NEWER, openNewer } from '../../support/agents/newer-client.ts';
import { typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';

useBrowser();

it('CF11 the page of a session says why nothing is typed, and one click trusts the version', async () => {
  await using world = newerWorld();
  const { api } = await openNewer(world);
  expect(await typeInto(api, 'web', 'say hello')).toBe('held');
  await using page = await openDashboard(api);
  await openSession(page, 'web');
  await page.getByText('Careful mode: nothing is typed').waitFor();
  await page.getByText(`Claude Code ${NEWER}`).first().waitFor();
  await page.getByRole('button', { name: 'Trust this version: web' }).click();
  await page.getByText('Careful mode: nothing is typed').waitFor({ state: 'detached' });
  await until('what was held is typed', async () => {
    const { body } = await api.get('/api/sessions/web/inputs');
    return (body['inputs'] as { delivery: string }[])[0]?.delivery !== 'held';
  });
});
