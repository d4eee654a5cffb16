/** The page of a session in the past: the screen as it was, and what happened. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import {
  listedEvents,
  openDashboard,
  openSession,
  useBrowser,
} from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const HOSTILE = '<img src=x onerror=alert(1)>';
const say = (...lines: string[]) => ({ do: 'say', lines });
const step = (work_ms: number) => ({ do: 'step', work_ms, signal: CHECK });
const STAY = { do: 'silence', ms: 600_000 };

async function startLoop(world: World, api: ApiClient, steps: object[]): Promise<void> {
  const directory = world.taskDir('web', { steps });
  await api.openSession('web', directory);
  const { status, body } = await api.startLoop('web', directory);
  expect({ status, body }).toMatchObject({ status: 201 });
}

const present = (page: Page) => page.getByRole('region', { name: 'Screen of web', exact: true });
const past = (page: Page) => page.getByRole('region', { name: 'Past screen of web' });
const time = (page: Page) => page.getByRole('slider', { name: 'Time of the screen' });
const happened = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

it('SH8, SH9, SH14 scrubbing back shows the past screen, marked as past, and returns to the present', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  const sendMore = async () =>
    api.send('POST', '/api/sessions/web/input', { text: 'more', submit: true });
  const pause = { do: 'pause' };
  const steps = [say('First words', HOSTILE), pause, step(300), pause, say('Second words')];
  await startLoop(world, api, [...steps, step(300), say('Third words'), STAY]);
  await openSession(page, 'web');
  // A terminal that gets no processor time may draw the text after the signal that follows.
  await present(page).getByText('First words').waitFor();
  await sendMore();
  const first = happened(page, 'Iteration 1').getByRole('button');
  // The agent may continue only once the screen of the first moment is stored.
  await first.click();
  await past(page).getByText('First words').waitFor();
  await page.getByRole('button', { name: 'Back to live' }).click();
  await sendMore();
  await present(page).getByText('Third words').waitFor();
  await first.click();
  await past(page).getByText('First words').waitFor();
  await page.getByText(/Past: \d\d:\d\d:\d\d, \d+ (s|min) ago/).waitFor();
  // Past text is text, and nothing of the live screen is next to it.
  await past(page).getByText(HOSTILE).waitFor();
  expect(await past(page).getByText('Second words').count()).toBe(0);
  expect(await present(page).count()).toBe(0);
  expect(await page.getByLabel('Type into web').count()).toBe(0);
  expect(await happened(page, 'Iteration 1').getAttribute('aria-current')).toBe('time');
  expect(await time(page).getAttribute('aria-valuetext')).toMatch(
    /^\d\d:\d\d:\d\d, \d+ (s|min) ago/,
  );
  expect(await scanAccessibility(page)).toEqual([]);

  const place = Number(await time(page).inputValue());
  await time(page).focus();
  await page.keyboard.press('ArrowRight');
  expect(Number(await time(page).inputValue())).toBe(place + 1);
  await page.keyboard.press('Home');
  expect(await time(page).inputValue()).toBe('0');
  await past(page).waitFor();
  await page.keyboard.press('End');
  await present(page).getByText('Third words').waitFor();
  expect(await time(page).getAttribute('aria-valuetext')).toBe('Live');
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Back to live' }).click();
  await present(page).getByText('Third words').waitFor();
  await page.getByRole('button', { name: 'Interrupt the agent in web' }).click();
  await happened(page, 'Agent interrupted by admin').waitFor();
});

it('SH7, SH15 the last screen and the events of a closed session stay, also after a reload', async () => {
  await using world = new World();
  const { api } = await world.start();
  await startLoop(world, api, [say('Last words'), step(300), STAY]);
  await using page = await openDashboard(api);
  await openSession(page, 'web');
  await present(page).getByText('Last words').waitFor();
  await api.send('DELETE', '/api/sessions/web');
  for (const look of ['at once', 'after a reload']) {
    await page.getByText('This session is closed.').waitFor();
    await past(page).getByText('Last words').waitFor();
    await happened(page, 'Session closed by admin: on request').waitFor();
    expect([look, await page.getByRole('button', { name: 'Back to live' }).count()]).toEqual([
      look,
      0,
    ]);
    expect(await scanAccessibility(page)).toEqual([]);
    await page.reload();
  }
});

it('SH10 the timeline reaches back to the first event, each once, and updates live', async () => {
  await using world = new World();
  const { api } = await world.start();
  await startLoop(world, api, [STAY]);
  const change = async (minutes: number) =>
    api.send('PATCH', '/api/sessions/web/task-auto', { timeoutMinutes: minutes });
  for (let minutes = 100; minutes < 420; minutes += 1) await change(minutes);
  await using page = await openDashboard(api);
  await openSession(page, 'web');
  await happened(page, 'Limits set to 20 iterations and 419 min').waitFor();
  expect(await happened(page, 'Session opened in').count()).toBe(0);
  await page.getByRole('button', { name: 'Older events' }).click();
  await happened(page, 'Session opened in').waitFor();
  await change(500);
  await happened(page, 'Limits set to 20 iterations and 500 min').waitFor();
  await until('the page lists every event once, newest first', async () => {
    const listed = await listedEvents(page);
    const all = (await api.events('&session=web')).map(({ seq }) => seq).reverse();
    return listed.join() === all.join();
  });
  const kinds = page.getByRole('group', { name: 'Event kinds' });
  await kinds.getByRole('checkbox', { name: 'Loop' }).focus();
  await page.keyboard.press('Space');
  await until('no limits are listed', async () => {
    return (await happened(page, 'Limits set to').count()) === 0;
  });
  await happened(page, 'Session opened in').waitFor();
});
