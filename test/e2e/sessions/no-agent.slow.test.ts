/** A machine on which no agent is installed yet. */
import { accessSync, chmodSync, constants, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { card, openDashboard, screenOf, useBrowser } from '../../support/browser/browser.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

/** This machine's PATH without the directories that contain an agent. */
function pathWithoutAgent(): string {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  return directories.filter((directory) => !isProgram(join(directory, 'claude'))).join(delimiter);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

it('PG5, CL5 without an agent the page names the fix, and one click runs the demo to its end', async () => {
  await using world = new World({ PATH: pathWithoutAgent() });
  const { api } = await world.start(undefined, { demoPace: 0.1 });
  await using page = await openDashboard(api);
  await page.getByText('The agent "claude" is not installed').waitFor();
  await page.getByText('npm install -g @anthropic-ai/claude-code').waitFor();

  await page.getByRole('button', { name: 'Run the demo' }).click();
  await page.getByRole('heading', { level: 1, name: 'demo' }).waitFor();
  await card(page, 'demo').getByText('Demo with the stand-in agent').waitFor();
  await screenOf(page, 'demo').getByText('the task is complete').waitFor();
  await card(page, 'demo').getByText('Loop ended: Completed').waitFor();
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'completed' });

  // With a session, the offer stays, next to the fix.
  const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
  await trail.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('The agent "claude" is not installed').waitFor();
  await page.getByRole('button', { name: 'Run the demo' }).waitFor();
});

it('PG5 the start dialog says what is missing, and so does a start that fails for it', async () => {
  await using world = new World({ PATH: pathWithoutAgent(), LOOPWATCH_START_TIMEOUT_MS: '500' });
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await using page = await openDashboard(api);
  await page.getByRole('banner').getByRole('button', { name: 'Start a loop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start a loop' });
  await dialog.getByText('The agent "claude" is not installed').waitFor();
  await dialog.getByLabel('Task directory').fill(taskDir);
  await dialog.getByRole('button', { name: 'Start loop' }).click();
  await dialog.getByRole('alert').getByText(/agent/).waitFor();
  expect(await dialog.getByLabel('Task directory').inputValue()).toBe(taskDir);
});

it('PG5 an agent that is installed later is found without a restart', async () => {
  const path = pathWithoutAgent();
  await using world = new World();
  const program = join(world.root, 'user', 'claude');
  world.environment['PATH'] = `${join(world.root, 'user')}${delimiter}${path}`;
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.getByText('The agent "claude" is not installed').waitFor();
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByText('The agent "claude" is not installed').waitFor({ state: 'detached' });
});
