/** The page of task modules: listed, followed, edited, created, and a loop started on one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Module } from '../../../shared/schema/modules/modules.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { join as invited } from '../../support/daemon/invite-person.ts';
import { indexText, writeModule } from '../../support/git/module-tree.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const PLAN = `# Plan

## Steps

1. Read the *name*
   - from the **form**
2. Greet <img src=x onerror=alert(1)>

- [x] checked
- [ ] open

\`\`\`html
<script>alert(1)</script>
\`\`\`
`;

async function moduleOf(api: ApiClient, path: string): Promise<Module> {
  return until(`module ${path}`, async () => {
    const { body } = await api.get('/api/modules');
    return (body['modules'] as Module[]).find((each) => each.path === path);
  });
}

async function openModule(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: 'Modules', exact: true }).first().click();
  await page.getByRole('article', { name: title }).getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

it('MO19 modules are listed and found by text and status, and follow their files', async () => {
  await using world = new World();
  const { api } = await world.start();
  const greet = writeModule(world.taskDir('greet'), { title: 'Greet', status: 'executing' });
  writeModule(world.taskDir('other'), { title: 'Other', status: 'complete' });
  await moduleOf(api, greet);
  await using page = await openDashboard(api);
  await page.getByRole('link', { name: 'Modules', exact: true }).first().click();
  const card = page.getByRole('article', { name: 'Greet' });
  await card.getByText('Executing').waitFor();
  await page.getByRole('article', { name: 'Other' }).getByText('Complete').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);

  writeFileSync(join(greet, '.plan.md'), PLAN);
  writeFileSync(
    join(greet, '.index.json'),
    indexText({ title: 'Greet', status: 'blocked', completed_steps: 1 }),
  );
  await card.getByText('Blocked').waitFor();
  await card.getByText('1 of 2 steps').waitFor();
  await page.getByLabel('Status').selectOption('blocked');
  await page.getByRole('article', { name: 'Other' }).waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByRole('button', { name: 'Show all modules' }).click();
  await page.getByRole('article', { name: 'Other' }).waitFor();
});

it('MO20 the files of a module are shown as text, never as HTML, and live', async () => {
  await using world = new World();
  const { api } = await world.start();
  const more = { '.plan.md': PLAN, '.test/result.txt': '12 passed <b>' };
  const directory = writeModule(world.taskDir('greet'), { title: 'Greet', more });
  await moduleOf(api, directory);
  await using page = await openDashboard(api);
  await openModule(page, 'Greet');
  await page.getByText('Greet <img src=x onerror=alert(1)>').waitFor();
  await page.getByText('<script>alert(1)</script>').waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
  await page.getByText('Tests: result.txt').click();
  await page.getByText('12 passed <b>').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  writeFileSync(join(directory, '.report.md'), '# Done\n\nIt greets.\n');
  await page.getByText('It greets.').waitFor();
  writeFileSync(join(directory, '.test/result.txt'), '13 passed');
  await page.getByText('13 passed').waitFor();
  await page.getByRole('button', { name: 'Start a loop here' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start a loop' });
  expect(await dialog.getByLabel('Task directory', { exact: true }).inputValue()).toBe(directory);
});

it('MO21 a target is edited; after a change elsewhere both texts are kept until a person chooses', async () => {
  await using world = new World();
  const { api } = await world.start();
  const directory = writeModule(world.taskDir('greet'), { title: 'Greet', target: 'Greet.\n' });
  const target = join(directory, '.target.md');
  const stored = () => readFileSync(target, 'utf8');
  await moduleOf(api, directory);
  await using page = await openDashboard(api);
  await openModule(page, 'Greet');
  const text = page.getByRole('textbox', { name: 'Target' });
  const edit = page.getByRole('button', { name: 'Edit target' });
  await edit.click();
  await text.fill('Greet in German.\n');
  await page.getByRole('button', { name: 'Save target' }).click();
  await edit.waitFor();
  expect(stored()).toBe('Greet in German.\n');

  await edit.click();
  await text.fill('Greet in Dutch.\n');
  writeFileSync(target, 'Greet in Danish.\n');
  await page.getByText('The target was changed elsewhere while you edited.').waitFor();
  expect(await text.inputValue()).toBe('Greet in Dutch.\n');
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('region', { name: 'Differences' }).getByText('Greet in Danish.').waitFor();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', { name: 'Save target' }).click();
  await edit.waitFor();
  expect(stored()).toBe('Greet in Dutch.\n');

  await edit.click();
  await text.fill('Greet in Welsh.\n');
  writeFileSync(target, 'Greet in Danish again.\n');
  await page.getByRole('button', { name: 'Discard mine and edit the newest' }).click();
  expect(await text.inputValue()).toBe('Greet in Danish again.\n');
});

it('MO22 a module is created from a description; a wrong place is refused at its field', async () => {
  await using world = new World();
  const { api } = await world.start();
  const root = join(world.root, 'tasks');
  await using page = await openDashboard(api);
  await page.getByRole('link', { name: 'Modules', exact: true }).first().click();
  await page.getByText('No task modules yet').waitFor();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New task module' });
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByText('Describe what to reach.').waitFor();
  await dialog.getByLabel('Description').fill('Limit the login to five tries.');
  await dialog.getByLabel('In directory', { exact: true }).fill(join(world.root, 'elsewhere'));
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByText('is outside the roots').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByLabel('In directory', { exact: true }).fill(join(root, 'AiTasks'));
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Limit the login to five tries.' }).waitFor();
  const path = join(root, 'AiTasks/limit-the-login-to-five/.target.md');
  expect(readFileSync(path, 'utf8')).toBe('Limit the login to five tries.\n');
});

it('MO16 viewers get no button that changes a module', async () => {
  await using world = new World();
  const { api } = await world.start();
  const directory = writeModule(world.taskDir('greet'), { title: 'Greet' });
  await moduleOf(api, directory);
  const { api: viewer } = await invited(api, 'Noor', 'viewer');
  await using page = await openDashboard(viewer);
  await connection(page, 'Live').waitFor();
  await openModule(page, 'Greet');
  await page.getByText('Greet by name').waitFor();
  for (const name of ['Edit target', 'Start a loop here', 'New module']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  }
});
