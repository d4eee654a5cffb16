/** What needs a person, on the page: exact text, available actions, late answers. */
import { expect, it } from 'vitest';
import type { AgentRequest } from '../../../shared/schema/attention/attention.ts';
import { card, openDashboard, openSession, useBrowser } from '../../support/browser/browser.ts';
import {
  askPerson,
  BASH_REQUEST,
  decisionOf,
  QUESTION_REQUEST,
  showTrust,
} from '../../support/agents/need-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const MARKUP = '<img src=x onerror=alert(1)>';
const EVIL = `${MARKUP}\u001b[2J\u202e`;
const COLOUR = 'Which colour should the button be?';
const MANY: AgentRequest = {
  tool: 'AskUserQuestion',
  input: {
    questions: [
      {
        question: COLOUR,
        header: 'Colour',
        options: [
          { label: 'Red', description: 'A red button' },
          { label: 'Blue', description: 'A blue button' },
        ],
        multiSelect: false,
      },
      {
        question: 'Which sizes?',
        header: 'Sizes',
        options: [
          { label: 'S', description: 'small' },
          { label: 'M', description: 'medium' },
        ],
        multiSelect: true,
      },
    ],
  },
  questions: [],
};

async function openWorld(world: World) {
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  /** The agent's final answer. */
  const ask = async (request: AgentRequest) => {
    const { id, answer } = await askPerson(world, api, 'web', request);
    return { id, outcome: async () => decisionOf(answer) };
  };
  return { api, ask };
}

function allowed(request: AgentRequest, answers?: object) {
  const updatedInput = answers === undefined ? request.input : { ...request.input, answers };
  return { behavior: 'allow', updatedInput };
}

it('AT13 items appear and disappear live, oldest first, counted in the title, and are answered with one press', async () => {
  await using world = new World();
  const { api, ask } = await openWorld(world);
  await using page = await openDashboard(api);
  expect(await page.title()).toBe('Loopwatch');
  const evil = { ...BASH_REQUEST, input: { command: EVIL } };
  const { outcome } = await ask(evil);
  await showTrust(world, api, 'db', MARKUP);
  await page.getByRole('button', { name: '2 Need you' }).waitFor();
  await until('the title counts', async () => (await page.title()) === '(2) Loopwatch');
  const tiles = page.getByRole('article');
  const shown = '<img src=x onerror=alert(1)>\\u{1b}[2J\\u{202e}';
  await tiles.nth(0).getByText(`Bash: ${shown}`, { exact: true }).waitFor();
  await tiles.nth(0).getByText(`command: ${shown}`).waitFor();
  await tiles.nth(1).getByText('Open the terminal: answer the trust dialog.').waitFor();
  expect(await page.locator('main img').count()).toBe(0);

  await tiles
    .nth(0)
    .getByRole('button', { name: /^Allow/ })
    .click();
  expect(await outcome()).toEqual(allowed(evil));
  await card(page, 'web').getByText('answered by admin: allow').waitFor();
  await until('the title counts on', async () => (await page.title()) === '(1) Loopwatch');
  await api.send('DELETE', '/api/sessions/db');
  await until('nothing needs you', async () => (await page.title()) === 'Loopwatch');
});

it('AT13 a question is answered by keyboard, a deny says why', async () => {
  await using world = new World();
  const { api, ask } = await openWorld(world);
  await using page = await openDashboard(api);
  await openSession(page, 'web');
  const colour = await ask(QUESTION_REQUEST);
  await page.getByRole('button', { name: 'Red', exact: true }).press('Enter');
  expect(await colour.outcome()).toEqual(allowed(QUESTION_REQUEST, { [COLOUR]: 'Red' }));
  // The next question looks the same: input must not go into this one.
  await page.getByRole('button', { name: 'Red', exact: true }).waitFor({ state: 'detached' });
  const free = await ask(QUESTION_REQUEST);
  await page.getByLabel('Or your own answer').fill('a warm one');
  await page.keyboard.press('Enter');
  expect(await free.outcome()).toEqual(allowed(QUESTION_REQUEST, { [COLOUR]: 'a warm one' }));
  const denied = await ask(BASH_REQUEST);
  await page.getByLabel('Reason, if denied').fill('not on a Friday');
  await page.keyboard.press('Enter');
  expect(await denied.outcome()).toEqual({ behavior: 'deny', message: 'not on a Friday' });
});

it('AT13 several questions are one answer', async () => {
  await using world = new World();
  const { api, ask } = await openWorld(world);
  await using page = await openDashboard(api);
  const { outcome } = await ask(MANY);
  await openSession(page, 'web');
  await page.getByLabel('Blue').check();
  for (const size of ['S small', 'M medium']) await page.getByLabel(size).check();
  await page.getByLabel('And your own answer').fill('L');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  const answers = { [COLOUR]: 'Blue', 'Which sizes?': 'S, M, L' };
  expect(await outcome()).toEqual(allowed(MANY, answers));
});

it('AT21 an answer that came too late is reported, with who was first', async () => {
  await using world = new World();
  const { api, ask } = await openWorld(world);
  await using page = await openDashboard(api);
  const { id, outcome } = await ask(BASH_REQUEST);
  await page.route('**/answer', async (route) => {
    await api.send('POST', `/api/attention/${id}/answer`, { decision: 'deny' });
    await route.continue();
  });
  await page.getByRole('button', { name: /^Allow/ }).click();
  // Shown where it was pressed, and announced to screen readers.
  await page
    .getByRole('alert')
    .getByText('This item is already cleared: answered by admin')
    .first()
    .waitFor();
  expect(await outcome()).toMatchObject({ behavior: 'deny' });
  await page.getByRole('button', { name: /^Allow/ }).waitFor({ state: 'detached' });
});

it('AT13, PG7 the scan finds nothing on open items, here and on the page of a session', async () => {
  await using world = new World();
  const { api, ask } = await openWorld(world);
  await using page = await openDashboard(api);
  for (const request of [BASH_REQUEST, QUESTION_REQUEST, MANY]) await ask(request);
  await showTrust(world, api, 'db');
  await card(page, 'db').getByText('Open the terminal').waitFor();
  await card(page, 'web').getByText('2 more in the inbox').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await openSession(page, 'web');
  await page.getByText('3 open').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});
