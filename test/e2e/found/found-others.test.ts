/** Sessions of other clients than Claude Code, as a person sees them: named, shown, not touched. */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { FoundWorld, listed } from '../../support/found/found-world.ts';
import { startHolder, startRollout } from '../../support/found/other-client.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { until } from '../../support/house/until.ts';

useBrowser();

const CONVERSATION = '01a21402-3617-7cd0-bf3c-d6b91178492d';

it('FS64 FS66 card and page name the client, offer no way to continue it, and say how it ended', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const shop = join(realpathSync(world.root), 'tasks', 'shop');
  mkdirSync(shop, { recursive: true });
  const rollout = startRollout(join(world.root, 'user', '.codex'), CONVERSATION, shop);
  const codex = await startHolder(world.root, [rollout]);
  try {
    const { api } = await world.start();
    await until('it is listed', async () => (await listed(api)).length === 1);
    await using page = await openDashboard(api);
    const card = page
      .getByRole('region', { name: 'Elsewhere on this machine' })
      .getByRole('article', { name: 'shop', exact: true });
    await card.getByText('Codex · no terminal').waitFor();
    // The badge too claims no more than that.
    await until('both say it', async () => (await card.getByText('Running').count()) === 2);
    expect(await scanAccessibility(page)).toEqual([]);
    await card.getByRole('link').first().click();
    await page.getByText('A session of Codex, started without Loopwatch').waitFor();
    await page.getByText('Usage is read only from Claude Code.').waitFor();
    await page.getByText('which Loopwatch only shows; continue it where it runs').first().waitFor();
    expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
    await codex.kill();
    await page.getByText('This session has ended.').waitFor();
    expect(await scanAccessibility(page)).toEqual([]);
  } finally {
    await codex.kill();
  }
});
