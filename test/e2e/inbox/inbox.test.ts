/** The inbox: answered by mouse and by keyboard, late answers, settled items. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { AgentRequest } from '../../../shared/schema/attention/attention.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
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

const COLOUR = 'Which colour should the button be?';
const EDIT: AgentRequest = {
  tool: 'Edit',
  input: { file_path: '/home/ada/a.ts', old_string: 'let a = 1;', new_string: 'let a = 2;' },
  questions: [],
};
const HIDDEN: AgentRequest = {
  tool: 'Bash',
  input: { command: `echo safe\u202e\r${'#'.repeat(3_000)}; rm -rf /` },
  questions: [],
};

async function openInbox(api: ApiClient): Promise<Page> {
  const page = await openDashboard(api);
  await page.getByRole('link', { name: /^Inbox/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  return page;
}

function item(page: Page, id: string): Locator {
  return page.locator(`[data-item="${id}"]`);
}

/** Resolves when keys act on that item. */
async function takesKeys(page: Page, id: string): Promise<void> {
  await page.locator(`[data-item="${id}"][data-keys="ready"]:focus`).waitFor();
}

it('IB1, IB2, IB6 the inbox is handled by keyboard: answer, move to the next, reply, dismiss', async () => {
  await using world = new World();
  const { api } = await world.start();
  const first = await askPerson(world, api, 'web', BASH_REQUEST);
  const second = await askPerson(world, api, 'web', QUESTION_REQUEST);
  const third = await askPerson(world, api, 'docs', BASH_REQUEST);
  const fourth = await askPerson(world, api, 'docs', EDIT);
  await using page = await openInbox(api);
  await page.getByText('4 open, oldest').waitFor();
  // No card has the focus: a number key answers nothing.
  await page.keyboard.press('1');
  await page.keyboard.press('j');
  await takesKeys(page, first.id);
  await page.keyboard.press('1');
  expect(await decisionOf(first.answer)).toMatchObject({ behavior: 'allow' });
  await item(page, first.id).getByText('Answered by admin').waitFor();

  await takesKeys(page, second.id);
  await page.keyboard.press('2');
  const answers = { updatedInput: { answers: { [COLOUR]: 'Blue' } } };
  expect(await decisionOf(second.answer)).toMatchObject(answers);

  await takesKeys(page, third.id);
  await page.keyboard.press('r');
  await page.keyboard.type('not now');
  await page.keyboard.press('Enter');
  expect(await decisionOf(third.answer)).toEqual({ behavior: 'deny', message: 'not now' });

  await takesKeys(page, fourth.id);
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog', { name: 'Dismiss this item?' });
  await dialog.getByText('The agent keeps waiting').waitFor();
  await dialog.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await item(page, fourth.id).getByText('Dismissed by admin').waitFor();
  // An expired item disappears on its own.
  await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor();
  await page.getByText(/Last item closed \d+ (s|min) ago/).waitFor();
});

it('IB2 a key held down, or pressed as the focus moves, answers only one item', async () => {
  await using world = new World();
  const { api } = await world.start();
  const first = await askPerson(world, api, 'web', BASH_REQUEST);
  const second = await askPerson(world, api, 'web', EDIT);
  await using page = await openInbox(api);
  await page.keyboard.press('j');
  await takesKeys(page, first.id);
  await page.keyboard.down('1');
  await decisionOf(first.answer);
  await page.locator(`[data-item="${second.id}"]:focus`).waitFor();
  // What the browser sends while a key is held down.
  for (let n = 0; n < 5; n += 1) await page.keyboard.down('1');
  await page.keyboard.up('1');
  await takesKeys(page, second.id);
  const { body } = await api.get(`/api/attention/${second.id}`);
  expect(body['cleared_at']).toBe(null);
});

it('IB3, IB8, IB9 a request is shown by its effect: a change as lines, hidden characters named, its length shown', async () => {
  await using world = new World();
  const { api } = await world.start();
  const edit = await askPerson(world, api, 'web', EDIT);
  const hidden = await askPerson(world, api, 'web', HIDDEN);
  await using page = await openInbox(api);
  const change = item(page, edit.id).getByLabel('change', { exact: true });
  expect(await change.textContent()).toContain('− removed: let a = 1;');
  expect(await change.textContent()).toContain('+ added: let a = 2;');
  const card = item(page, hidden.id);
  await card.getByText('right-to-left override, carriage return').waitFor();
  await card.getByText('Showing the start of 3,021 characters in 1 line.').waitFor();
  expect(await card.getByText('rm -rf /').count()).toBe(0);
  await card.getByRole('button', { name: 'Show all' }).click();
  await card.getByText('rm -rf /').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});

it('IB4, IB10 a late answer says who was first; the closed list says who answered what', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { id, answer } = await askPerson(world, api, 'web', BASH_REQUEST);
  await using mine = await openInbox(api);
  await using other = await openInbox(api);
  // The event about the other answer is on its way while this one is sent.
  await mine.route('**/answer', async (route) => {
    await item(other, id).getByRole('button', { name: /^Deny/ }).click();
    await answer;
    await route.continue();
  });
  await item(mine, id)
    .getByRole('button', { name: /^Allow/ })
    .click();
  const stub = item(mine, id);
  await stub.getByText('Your answer came too late and was not used.').waitFor();
  expect(await stub.innerText()).toMatch(/Answered by admin\s+\d+ (s|min) ago: deny/);
  expect(await decisionOf(answer)).toMatchObject({ behavior: 'deny' });

  await askPerson(world, api, 'docs', QUESTION_REQUEST);
  await api.send('DELETE', '/api/sessions/docs');
  await mine.getByText('Closed', { exact: true }).click();
  const rows = mine.getByRole('list', { name: 'Closed items' }).getByRole('listitem');
  await rows.filter({ hasText: 'Closed: its agent ended' }).waitFor();
  expect((await rows.allInnerTexts()).map((text) => /web|docs/.exec(text)?.[0])).toEqual([
    'docs',
    'web',
  ]);
  await mine.getByLabel('Session').selectOption('web');
  await until('one row', async () => (await rows.count()) === 1);
  expect(await rows.first().innerText()).toMatch(/Answered by admin\s+\d+ (s|min) ago: deny/);
  expect(await scanAccessibility(mine)).toEqual([]);
});

it('IB5 an item only the terminal can answer has its commands and the actions of one press', async () => {
  await using world = new World();
  const { api } = await world.start();
  const trust = await showTrust(world, api, 'db');
  const directory = world.taskDir('broken', { steps: [{ do: 'crash', code: 1 }] });
  await api.openSession('broken', directory);
  await api.startLoop('broken', directory);
  await until('the loop has failed', async () => (await api.loop('broken')).status === 'failed');
  await using page = await openInbox(api);
  const card = item(page, trust);
  await card.getByText('loopwatch session attach db').waitFor();
  await card.getByRole('button', { name: 'Copy loopwatch session attach db' }).click();
  await card
    .getByText(/^(Copied|Selected)/)
    .first()
    .waitFor();
  await card.getByRole('button', { name: 'Reply to db' }).click();
  await card.getByLabel('Type into db').and(page.locator(':focus')).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove: broken' }).click();
  await until('no loop', async () => (await api.loop('broken')).status !== 'failed');
});
