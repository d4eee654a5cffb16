/** Respawn on the page of its session, in every state a person can meet. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { card, openDashboard, openSession, useBrowser } from '../../support/browser/browser.ts';
import { serveRespawn } from '../../support/respawn/respawn-pages.ts';
import { respawnScene, type RespawnSceneName } from '../../support/respawn/respawn-scenes.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const LATE = 'Respawn details';
const status = (page: Page) => page.getByRole('region', { name: 'Respawn status' });
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const press = async (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click();

/** The page of a session whose respawn is in that scene. */
async function openScene(world: World, name: RespawnSceneName, isKept = true) {
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  const page = await openDashboard(api);
  const served = await serveRespawn(page, 'web', respawnScene(name), isKept);
  await openSession(page, 'web');
  return { page, served, [Symbol.asyncDispose]: async () => page[Symbol.asyncDispose]() };
}

describe('its view', () => {
  it.each([
    ['confirming', 'Confirming idle'],
    ['initializing', 'Initializing'],
    ['check_off', 'AI idle check off'],
    ['needs_person', 'Waiting for a person'],
    ['stopped', 'Stopped by mia'],
  ] as const)('RP5 PG7 says what it does, and the scan finds nothing: %s', async (name, text) => {
    await using world = new World();
    await using scene = await openScene(world, name);
    const { page } = scene;
    await status(page).getByText(text).first().waitFor();
    await part(page, 'Cycles').getByText('Cycle 3', { exact: true }).waitFor();
    await part(page, 'Action log').locator('li summary').first().click();
    expect(await scanAccessibility(page)).toEqual([]);
  });

  it('RP2 RP3 the current state, the last transition, layers and countdown', async () => {
    await using world = new World();
    await using scene = await openScene(world, 'confirming');
    const { page } = scene;
    const state = part(page, 'State');
    await state.getByText('because a line says that the turn has ended').waitFor();
    const current = state.getByRole('list', { name: 'States' }).locator('[aria-current=step]');
    expect(await current.innerText()).toBe('Confirming idle, current');
    const layers = await part(page, 'Idle detection').innerText();
    for (const word of ['95 of 75 needed', 'Completion line', '+40', 'No output for', 'Silence']) {
      expect(layers).toContain(word);
    }
    await status(page).getByText('Confirmation').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const rail = state.getByRole('list', { name: 'Current cycle' });
    expect(await rail.locator('[aria-current=step]').innerText()).toContain('Confirming idle');
    expect(await state.locator('svg').isVisible()).toBe(false);
  });

  it('RP4 RP9 cycles with what they changed, and a folded log', async () => {
    await using world = new World();
    await using scene = await openScene(world, 'watching');
    const { page } = scene;
    await part(page, 'Cycles').getByText('Cycle 3', { exact: true }).waitFor();
    const cycles = await part(page, 'Cycles').innerText();
    for (const word of ['2 commits', 'commits unknown', 'skipped', 'a step was not delivered']) {
      expect(cycles).toContain(word);
    }
    const log = part(page, 'Action log');
    await log.getByText(/^\d+ older$/).click();
    expect(await log.locator('.log > ol > li').count()).toBe(20);
    await log.getByText('Respawn: Watching by mia').waitFor();
  });
});

describe('its commands', () => {
  it('RP6 RP8 a free session offers it quietly, and starts with a preset', async () => {
    await using world = new World();
    await using scene = await openScene(world, 'untouched', false);
    const { page, served } = scene;
    await press(page, 'Keep going… in web');
    expect(await part(page, LATE).count()).toBe(0);
    expect(await scanAccessibility(page)).toEqual([]);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Team lead').click();
    await dialog.getByLabel('Time limit (minutes)').fill('0');
    await press(page, 'Start respawn');
    await dialog.getByText('A whole number from 1 to 14400, or empty.').waitFor();
    await dialog.getByLabel('Time limit (minutes)').fill('');
    served.refuse({
      status: 409,
      code: 'session_busy',
      message: 'session web is in use: it runs an auto loop',
    });
    await press(page, 'Start respawn');
    await dialog.getByText('it runs an auto loop. Stop it first').waitFor();
    expect(served.asked).toMatchObject([
      { what: 'POST start', body: { minutes: null, config: { send_clear: false } } },
    ]);
  });

  it('RP8 respawn that is only configured says so, with one way to start', async () => {
    await using world = new World();
    await using scene = await openScene(world, 'untouched');
    const { page } = scene;
    await page.getByText('Respawn keeps this session going').waitFor();
    expect(await status(page).count()).toBe(0);
    expect(await scanAccessibility(page)).toEqual([]);
    await press(page, 'Start respawn');
    await page.getByRole('dialog').getByText('Overnight').waitFor();
  });

  it('RP8 a daemon without it offers nothing', async () => {
    await using world = new World();
    const { api } = await world.start();
    await api.openSession('web', world.taskDir('web'));
    await using page = await openDashboard(api);
    const error = { code: 'not_found', message: 'no such address', details: {} };
    await page.route('**/respawn**', async (route) =>
      route.fulfill({ status: 404, json: { error } }),
    );
    const answered = page.waitForResponse(/\/respawn$/);
    await openSession(page, 'web');
    await answered;
    await card(page, 'web').getByRole('button', { name: 'Close session web' }).waitFor();
    expect(await page.getByRole('button', { name: 'Keep going… in web' }).count()).toBe(0);
    expect(await page.getByText('could not be loaded').count()).toBe(0);
  });

  it('RP5 pauses, and shows why a command was refused', async () => {
    await using world = new World();
    await using scene = await openScene(world, 'watching');
    const { page, served } = scene;
    await press(page, 'Pause respawn');
    await expect.poll(() => served.asked).toEqual([{ what: 'POST pause', body: null }]);
    served.refuse({ status: 503, code: 'storage_busy', message: 'the disk is busy' });
    await press(page, 'Stop respawn');
    await status(page).getByText('The disk is busy.').waitFor();
  });

  it('RP7 edits the configuration, with errors at their field', async () => {
    await using world = new World();
    await using scene = await openScene(world, 'watching');
    const { page, served } = scene;
    await press(page, 'Configure respawn');
    const dialog = page.getByRole('dialog');
    for (const fold of await dialog.locator('summary').all()) await fold.click();
    expect(await scanAccessibility(page)).toEqual([]);
    await dialog.getByLabel('Recoveries (times)').fill('101');
    await dialog.getByText('When it gets stuck').click();
    await press(page, 'Save');
    await dialog.getByText('From 0 to 100 times.').waitFor();
    await dialog.getByLabel('Recoveries (times)').fill('5');
    await dialog.getByLabel('Silence until idle (s)').fill('90.5');
    await press(page, 'Save');
    await dialog.waitFor({ state: 'detached' });
    const body = { max_stuck_recoveries: 5, no_output_timeout_ms: 90_500 };
    expect(served.asked).toEqual([{ what: 'PUT config', body }]);
  });

  it('RP10 follows a configuration that someone else changes, and saves only what was changed here', async () => {
    await using world = new World();
    const { api } = await world.start();
    await api.openSession('web', world.taskDir('web'));
    const path = '/api/sessions/web/respawn/config';
    await api.send('PUT', path, { max_stuck_recoveries: 7 });
    await using page = await openDashboard(api);
    await openSession(page, 'web');
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel('Recoveries (times)');
    const shown = async () => {
      await press(page, 'Configure respawn');
      await dialog.getByText('When it gets stuck').click();
      return field.inputValue();
    };
    expect(await shown()).toBe('7');
    await dialog.getByLabel('Warn when stuck for (min)').fill('4');
    await api.send('PUT', path, { max_stuck_recoveries: 9 });
    await press(page, 'Save');
    await dialog.waitFor({ state: 'detached' });
    expect((await api.get(path)).body).toMatchObject({
      max_stuck_recoveries: 9,
      stuck_warning_ms: 240_000,
    });
    await api.send('PUT', path, { max_stuck_recoveries: 11 });
    // A dialog shows what was known as it opened.
    const shownNow = async () => {
      const value = await shown();
      await press(page, 'Cancel');
      await dialog.waitFor({ state: 'detached' });
      return value;
    };
    await expect.poll(shownNow).toBe('11');
  });
});
