/** Where a person is needed, on the page: exact words, what can be pressed, what came too late. */
import { expect, it } from 'vitest';
import type { AgentRequest } from '../../shared/attention.ts';
import { openDashboard, openSession, useBrowser } from '../support/browser.ts';
import { agentState, BASH_REQUEST, QUESTION_REQUEST } from '../support/need-person.ts';
import { scanAccessibility } from '../support/scan-accessibility.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

useBrowser();

const EVIL = '<img src=x onerror=alert(1)>\u001b[2J\u202e';
const TRUST = agentState({ state: 'waiting', cause: 'trust', detail: EVIL });

const MANY: AgentRequest = {
  ...QUESTION_REQUEST,
  questions: [
    ...QUESTION_REQUEST.questions,
    {
      question: 'Which sizes?',
      header: 'Sizes',
      options: [
        { label: 'S', description: 'small' },
        { label: 'M', description: 'medium' },
      ],
      multi_select: true,
    },
  ],
};

async function openWorld(world: World) {
  const { api, daemon } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  const { attention } = daemon;
  const never = new AbortController().signal;
  const ask = async (request: AgentRequest) => attention.ask('web', request, never);
  const newest = () => attention.list({ open: true, limit: 100 }).at(-1)?.id ?? '';
  return { api, attention, ask, newest };
}

it('AT13 items come and go live, oldest first, counted in the title, and are answered with a press', async () => {
  await using world = new World();
  const { api, attention, ask } = await openWorld(world);
  await using page = await openDashboard(api);
  expect(await page.title()).toBe('Loopwatch');
  const result = ask({ ...BASH_REQUEST, input: { command: EVIL } });
  attention.observe('db', TRUST);
  await page.getByRole('region', { name: 'Attention' }).getByText('2 open').waitFor();
  await until('the title counts', async () => (await page.title()) === '(2) Loopwatch');
  const items = page.getByRole('region', { name: 'Attention' }).getByRole('article');
  const shown = '<img src=x onerror=alert(1)>\\u{1b}[2J\\u{202e}';
  await items
    .nth(0)
    .getByRole('heading', { name: `Bash: ${shown}` })
    .waitFor();
  await items.nth(0).getByText(`command: ${shown}`).waitFor();
  await items.nth(1).getByText('loopwatch attach db').waitFor();
  expect(await items.nth(1).getByRole('link', { name: 'Open terminal' }).count()).toBe(1);
  expect(await page.locator('main img').count()).toBe(0);

  await items
    .nth(0)
    .getByRole('button', { name: /^Allow/ })
    .click();
  expect(await result).toEqual({ decision: 'allow' });
  await page.getByText('answered by admin: allow').waitFor();
  await until('the title counts on', async () => (await page.title()) === '(1) Loopwatch');
  attention.observe('db', null);
  await until('nobody is needed', async () => (await page.title()) === 'Loopwatch');
});

it('AT13 a question is answered by keyboard, a deny says why', async () => {
  await using world = new World();
  const { api, ask } = await openWorld(world);
  await using page = await openDashboard(api);
  await openSession(page, 'web');
  const colour = ask(QUESTION_REQUEST);
  await page.getByRole('button', { name: 'Red', exact: true }).press('Enter');
  expect(await colour).toEqual({
    decision: 'allow',
    answers: { 'Which colour should the button be?': 'Red' },
  });
  const free = ask(QUESTION_REQUEST);
  await page.getByLabel('Or in your own words').fill('a warm one');
  await page.keyboard.press('Enter');
  expect(await free).toMatchObject({
    answers: { 'Which colour should the button be?': 'a warm one' },
  });
  const denied = ask(BASH_REQUEST);
  await page.getByLabel('Reason, if denied').fill('not on a Friday');
  await page.keyboard.press('Enter');
  expect(await denied).toEqual({ decision: 'deny', message: 'not on a Friday' });
});

it('AT13 several questions are one answer', async () => {
  await using world = new World();
  const { api, ask } = await openWorld(world);
  await using page = await openDashboard(api);
  const result = ask(MANY);
  await page.getByLabel('Blue').check();
  for (const size of ['S small', 'M medium']) await page.getByLabel(size).check();
  await page.getByLabel('And in your own words').fill('L');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  expect(await result).toEqual({
    decision: 'allow',
    answers: { 'Which colour should the button be?': 'Blue', 'Which sizes?': ['S', 'M', 'L'] },
  });
});

it('AT13 an answer that came too late is said, with who was first', async () => {
  await using world = new World();
  const { api, attention, ask, newest } = await openWorld(world);
  await using page = await openDashboard(api);
  const result = ask(BASH_REQUEST);
  await page.route('**/answer', async (route) => {
    attention.answer(newest(), { decision: 'deny' }, 'operator');
    await route.continue();
  });
  await page.getByRole('button', { name: /^Allow/ }).click();
  // Said where it was pressed, and to who listens to the page.
  await page.getByRole('alert').getByText('This is over: answered by operator').first().waitFor();
  expect(await result).toEqual({ decision: 'deny' });
  await page.getByRole('button', { name: /^Allow/ }).waitFor({ state: 'detached' });
});

it('AT13, PG7 the scan finds nothing on open items, here and on the page of a session', async () => {
  await using world = new World();
  const { api, attention, ask } = await openWorld(world);
  await using page = await openDashboard(api);
  void ask(BASH_REQUEST);
  void ask(QUESTION_REQUEST);
  void ask(MANY);
  attention.observe('db', TRUST);
  await page.getByText('4 open').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await openSession(page, 'web');
  await page.getByText('3 open').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});
