/** What a screen reader announces: every text of the page's live region is recorded. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { freePort } from '../../stress/free-port.ts';
import { askPerson, BASH_REQUEST } from '../../support/agents/need-person.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const WRITE_DOWN = `(() => {
  globalThis.heard = [];
  const region = document.querySelector('body .app > p[role=status]');
  new MutationObserver(() => globalThis.heard.push(region.textContent)).observe(region, {
    characterData: true,
    childList: true,
    subtree: true,
  });
})()`;

const heard = async (page: Page) => page.evaluate<string[]>('globalThis.heard');

it('PG12 who is needed, a lost connection and its return are announced, each once', async () => {
  await using world = new World({ PORT: String(await freePort()) });
  const daemon = await world.spawn();
  const { api } = daemon;
  await api.openSession('db', world.taskDir('db'));
  await using page = await openDashboard(api);
  await page.getByRole('article', { name: 'db' }).waitFor();
  await page.evaluate(WRITE_DOWN);
  const { answer } = await askPerson(world, api, 'web', BASH_REQUEST);
  await until('it is announced', async () => (await heard(page)).length > 0);
  await page.getByRole('button', { name: 'Allow' }).click();
  await answer;
  const asked = (await heard(page)).filter((text) => text.startsWith('web: '));
  expect(asked).toHaveLength(1);

  await daemon.kill();
  await connection(page, 'Offline').waitFor();
  await world.spawn();
  await connection(page, 'Live').waitFor();
  await until('its return is announced', async () => (await heard(page)).some(isOfReturn));
  const announced = await heard(page);
  expect(announced.filter((text) => text.startsWith('The daemon does not respond'))).toHaveLength(
    1,
  );
  expect(announced.filter(isOfReturn)).toHaveLength(1);
  expect(announced.filter((text) => text.startsWith('Reconnected.'))).toHaveLength(1);
});

function isOfReturn(text: string): boolean {
  return text.startsWith('The daemon restarted at');
}
