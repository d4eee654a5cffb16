/** The pages of tasks with a real daemon, a real repository and the stand-in as the agent. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { connection, openDashboard, useBrowser } from '../support/browser.ts';
import { exampleInteraction } from '../support/example-task.ts';
import { join } from '../support/invite-person.ts';
import { scanAccessibility } from '../support/scan-accessibility.ts';
import { script, TaskHome } from '../support/task-home.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

useBrowser();

async function openTasks(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Tasks', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
}

async function openTask(page: Page, name: string): Promise<void> {
  await openTasks(page);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

function talk(page: Page, name: string): Locator {
  return page.getByRole('region', { name: `Conversation of ${name}` });
}

it('TA3, TA4, TA5 a task is described in the dialog, works, and its words come without a reload', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await using page = await openDashboard(api);
  await openTasks(page);
  await page.getByRole('heading', { name: 'No task yet' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create task' }).click();
  await dialog.getByText('Say what is to be done.').waitFor();
  await dialog.getByText('Name the project directory.').waitFor();
  const steps = [
    'say I **see** <b>nothing</b>.',
    'tool Bash {"command":"ls"}',
    'wait 500',
    'say Done.',
  ];
  await dialog.getByLabel('What is to be done').fill(script(...steps));
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('greet-by-name');
  await dialog.getByRole('combobox', { name: 'Project directory' }).fill(home.repository);
  await dialog.getByText('begins from main').waitFor();
  await dialog.getByLabel('Base branch').fill('nowhere');
  await dialog.getByText('Tests and gates').click();
  await dialog.getByText('None', { exact: true }).click();
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create task' }).click();
  // Refused at its field, and nothing typed is lost.
  await dialog.locator('[aria-invalid=true]').waitFor();
  expect(await dialog.getByLabel('Base branch').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Base branch').fill('main');
  await dialog.getByRole('button', { name: 'Create task' }).click();
  await page.getByRole('heading', { level: 1, name: 'greet-by-name' }).waitFor();
  const words = talk(page, 'greet-by-name');
  await words.getByText('<b>nothing</b>.', { exact: true }).waitFor();
  await words.getByRole('button', { name: /Bash/ }).click();
  await page.getByText('Completed', { exact: true }).waitFor();
  await page.getByText('Said to be done', { exact: true }).first().waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});

it('TA7, TA3 what is said to a task is queued, heard once, and told as delivered', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.run('talker', ['wait 1500', 'say First turn.', 'turn 2 say Second turn.']);
  await using page = await openDashboard(api);
  await openTask(page, 'talker');
  await page.getByText('Running', { exact: true }).waitFor();
  await page.keyboard.press('i');
  await page.keyboard.type('Count by address too.');
  await page.keyboard.press('Enter');
  const queue = page.getByRole('list', { name: 'What was said last' });
  await queue.getByText('Count by address too.').waitFor();
  await queue.getByText('Delivered', { exact: true }).waitFor();
  await talk(page, 'talker').getByText('Count by address too.', { exact: true }).waitFor();
  await talk(page, 'talker').getByText('Second turn.', { exact: true }).waitFor();
  expect(await page.locator('[data-input-line]').inputValue()).toBe('');
  const { conversation } = await home.conversation('talker');
  const heard = conversation.filter((entry) => entry.type === 'user_request');
  expect(heard).toHaveLength(1);
});

it('TA7 what still waits can be taken back, and an image that fits goes along', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('later');
  await using page = await openDashboard(api);
  await openTask(page, 'later');
  await page.getByText('Not started yet').waitFor();
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await page.locator('input[type=file]').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') },
  ]);
  await page.getByText('notes.txt is no PNG').waitFor();
  await page.getByRole('list', { name: 'Images that go along' }).getByText('dot.png').waitFor();
  await page.getByLabel('Say something to later', { exact: true }).last().fill('Look at this.');
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Leave out dot.png' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  const queue = page.getByRole('list', { name: 'What was said last' });
  await queue.getByText('Queued', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Take back: Look at this.' }).click();
  await queue.getByText('Taken back', { exact: true }).waitFor();
  expect((await home.inputs('later')).pending_inputs).toBe(0);
});

it('TA8, TA9, TA10 the work is shown before it goes: diff, tests, and what a removal does', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const steps = [
    'write greet.txt hello\\nyou',
    'commit Add a greeting',
    'write draft.txt soon',
    'say Done.',
  ];
  await home.run('worker', steps, {
    gates: [{ name: 'greets', command: 'test -f greet.txt && echo well' }],
    test_commands: [],
  });
  await home.until('worker', 'COMPLETED');
  await using page = await openDashboard(api);
  await openTask(page, 'worker');
  await page.getByText('Diff', { exact: true }).click();
  const patch = page.getByRole('region', { name: 'Changes of greet.txt' });
  await patch.getByText('hello', { exact: true }).waitFor();
  expect(await patch.innerText()).toMatch(/added:\s+hello/);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByText(/^Tests\s*\d+$/).click();
  await page
    .getByRole('region', { name: 'What was seen' })
    .getByText(/^Proven/)
    .waitFor();
  await page.getByText('exit code 0').waitFor();
  await page.getByText('What it wrote').click();
  await page.getByText('well', { exact: true }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  // A reload shows the same part.
  await page.reload();
  await page.getByRole('region', { name: 'What was seen' }).waitFor();
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/commits? that main has not/).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('heading', { name: 'This task was deleted' }).waitFor();
  expect((await api.get('/api/v1/tasks')).body).toEqual([]);
});

it('TA1, TA11 tasks are found in list and board, by the keyboard, and a link shows the same', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('alpha');
  await home.create('beta', { depends_on: ['alpha'] });
  await home.run('gamma', ['say Done.'], { test_commands: [] });
  await home.until('gamma', 'COMPLETED');
  await using page = await openDashboard(api);
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  const waits = page.getByRole('region', { name: 'Waits' });
  await waits.getByText('Not started yet, waits for alpha').waitFor();
  await page.getByRole('region', { name: 'Ended' }).getByText('gamma', { exact: true }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByText('Board', { exact: true }).click();
  await page.getByRole('region', { name: 'Pending' }).getByText('beta', { exact: true }).waitFor();
  expect(page.url()).toMatch(/layout=board/);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByLabel('Search tasks').fill('bet');
  await page.getByText('alpha', { exact: true }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('region', { name: 'Pending' }).getByText('beta', { exact: true }).waitFor();
  expect(await page.getByText('gamma', { exact: true }).count()).toBe(0);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'beta' }).waitFor();
  // What happens elsewhere is seen here.
  await home.post('alpha', 'start');
  await openTasks(page);
  await page.getByRole('region', { name: 'Ended' }).getByText('alpha', { exact: true }).waitFor();
});

it('TA11 who may only look sees tasks and can neither act nor speak', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('watched');
  const viewer = await join(api, 'vera', 'viewer');
  await using page = await openDashboard(viewer.api);
  await openTask(page, 'watched');
  await page.getByText('You may look, not speak.').waitFor();
  expect(await page.getByRole('button', { name: 'Delete…' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Start', exact: true }).count()).toBe(0);
});

/** A conversation that no test could hold: answers of the daemon, bent on their way to the page. */
async function lengthen(page: Page, total: number): Promise<{ requests: number }> {
  const counted = { requests: 0 };
  await page.route('**/interactions?*', async (route) => {
    counted.requests += 1;
    const { searchParams: query } = new URL(route.request().url());
    const limit = Number(query.get('limit'));
    const end = Math.min(Number(query.get('before') ?? total + 1), total + 1);
    const first = Math.max(1, end - limit);
    const isLater = query.has('after');
    const ids = isLater ? [] : Array.from({ length: end - first }, (_, n) => first + n);
    const conversation = ids.map((id) =>
      exampleInteraction(id, {
        content: `Word ${id}. ${'It goes on and on. '.repeat(id % 9)}`,
        type: id % 5 === 0 ? 'tool_result' : 'claude_response',
      }),
    );
    const previous = !isLater && first > 1 ? first : null;
    const json = {
      task_name: 'long',
      status: 'PENDING',
      conversation,
      total,
      next: null,
      previous,
    };
    return route.fulfill({ json });
  });
  return counted;
}

it('TA5 of 10,000 the end is shown at once, and what came earlier comes without a jump', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('long');
  await using page = await openDashboard(api);
  const counted = await lengthen(page, 10_000);
  await openTask(page, 'long');
  const words = talk(page, 'long');
  await words.getByText('Word 9999.', { exact: false }).waitFor();
  const restOf = async () =>
    words.evaluate((log) => {
      const { scrollHeight, scrollTop, clientHeight } = log as unknown as Record<string, number>;
      return (scrollHeight ?? 0) - (scrollTop ?? 0) - (clientHeight ?? 0);
    });
  await until('the end is in sight', async () => (await restOf()) < 2);
  expect(counted.requests).toBe(1);
  // Up to the top of what is there: the next page comes, and what was read stays under the eye.
  for (let read = 2; read <= 6; read += 1) {
    const first = words.locator('[data-entry]').first();
    const id = await first.getAttribute('data-entry');
    const entry = words.locator(`[data-entry="${id ?? ''}"]`);
    const topOf = async () => (await entry.boundingBox())?.y ?? 0;
    await words.evaluate((log) => ((log as unknown as { scrollTop: number }).scrollTop = 20));
    const top = await topOf();
    await until(
      `page ${read} is read`,
      async () => (await first.getAttribute('data-entry')) !== id,
    );
    expect(counted.requests).toBe(read);
    await until('what was read stays', async () => Math.abs((await topOf()) - top) < 4);
  }
  const shown = await words
    .locator('[data-entry]')
    .evaluateAll((entries) =>
      entries.map(
        (entry) => (entry as unknown as { dataset: Record<string, string> }).dataset['entry'],
      ),
    );
  expect(new Set(shown).size).toBe(shown.length);
  await page.getByRole('button', { name: 'Go to the newest' }).click();
  await until('the end is in sight again', async () => (await restOf()) < 2);
});

it('TA7, AT3 a task that asks is in the inbox, which leads to where it is answered', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.run('asker', ['ask Shall I drop the production database?', 'turn 2 say Kept it.'], {
    test_commands: [],
  });
  await using page = await openDashboard(api);
  await page.getByRole('link', { name: /^Inbox/ }).click();
  await page.getByRole('link', { name: 'Open task' }).click();
  await page.getByRole('heading', { level: 1, name: 'asker' }).waitFor();
  await page.getByText('Needs you', { exact: true }).waitFor();
  await page.keyboard.press('i');
  await page.keyboard.type('No, keep it.');
  await page.keyboard.press('Enter');
  await talk(page, 'asker').getByText('Kept it.', { exact: true }).waitFor();
  await page.getByText('Needs you', { exact: true }).waitFor({ state: 'detached' });
});

it('TA8 a task at its limit goes on with more, is stopped with everything kept, and is cloned', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const steps = ['write a.txt one', 'turn 2 write b.txt two', 'turn 2 wait 60000'];
  await home.run('limited', steps, { max_iterations: 1, test_commands: [] });
  await home.until('limited', 'EXHAUSTED');
  await using page = await openDashboard(api);
  await openTask(page, 'limited');
  await page.getByText('Retry the task with more iterations.').waitFor();
  await page.getByRole('button', { name: 'Retry…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('More iterations').fill('3');
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByText('Running', { exact: true }).waitFor();
  await page.getByText('1 / 4', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop…' }).click();
  await dialog.getByText('Branch, worktree, files and conversation all stay').waitFor();
  await dialog.getByText(/in no commit/).waitFor();
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText('Stopped', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  expect((await home.get('limited')).worktree_path).not.toBeNull();
  await page.getByRole('button', { name: 'Clone' }).click();
  await page.getByRole('heading', { level: 1, name: /^limited./ }).waitFor();
  await page.getByText('Not started yet').waitFor();
});

it('TA3 without a live connection the page of a task keeps up by polling', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('polled', { description: script('say Heard.'), test_commands: [] });
  await using page = await openDashboard(api);
  await page.routeWebSocket('**/ws', (socket) => socket.close());
  await page.reload();
  await connection(page, 'Polling').waitFor();
  await openTask(page, 'polled');
  await home.post('polled', 'start');
  await page.getByText('Completed', { exact: true }).waitFor();
  await talk(page, 'polled').getByText('Heard.', { exact: true }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});
