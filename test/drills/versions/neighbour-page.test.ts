/** The page of a host of this tree, showing one of the version before that joined its fleet. */
import { expect, it } from 'vitest';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { showTrust } from '../../support/agents/need-person.ts';
import { connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { findOldTree } from '../../support/versions/old-tree.ts';
import { SharedWork } from '../../support/versions/shared-work.ts';
import { VersionFleet } from '../../support/versions/version-fleet.ts';

useBrowser();

const PAGES = [
  '',
  'sessions/asks',
  'tasks',
  'tasks/works',
  'runs',
  'inbox',
  'events',
  'history',
  'usage',
  'wall',
  'report',
  'prompts',
  'projects',
  'modules',
  'alerts',
  'checks',
  'people',
  'fleet',
];

it('FH25 FH27 every page of a newer host shows an older one of its fleet, and gets what it asks for', async ({
  skip,
}) => {
  const tree = findOldTree(packageRoot());
  if ('missing' in tree) return skip(tree.missing);
  await using fleet = await VersionFleet.open(tree.commit, 'newer');
  const { older, newer } = fleet;
  await showTrust(older.world, older.admin, 'asks');
  const work = new SharedWork(fleet);
  await work.begin();
  const { url } = newer.admin;
  await using page = await openDashboard(newer.asks(newer));
  const answers = { good: 0, bad: [] as string[] };
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() < 400) answers.good += pathname.startsWith('/hosts/older/api/') ? 1 : 0;
    else answers.bad.push(`${response.status()} ${pathname}`);
  });
  await page.getByRole('article', { name: 'asks on older' }).waitFor();
  for (const path of PAGES) {
    await page.goto(`${url}/hosts/older/${path}`, { waitUntil: 'networkidle' });
    await connection(page, 'Live').waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect([path, answers.bad]).toEqual([path, []]);
  }
  await page.goto(`${url}/hosts/older/sessions/asks`);
  await page.getByText('Accessing workspace').first().waitFor();
  await page.goto(`${url}/hosts/older/tasks/works`);
  await page.getByRole('heading', { level: 1, name: 'works' }).waitFor();
  console.log(`${PAGES.length} pages, ${answers.good} answers of ${tree.name}`);
});
