/**
 * The conversation of a task on its page: messages sent, delivered, cancelled, read backwards, and
 * answered from the inbox.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { exampleInteraction } from '../../support/tasks/example-task.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { openTask, talk } from '../../support/tasks/task-pages.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('TA3, TA7, TA16 an input to a task at work ends its turn if wanted, is sent once, and shown as delivered', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.run('talker', ['wait 3600000', 'turn 2 say Second turn.'], {
    test_commands: [],
  });
  await using page = await openDashboard(api);
  await openTask(page, 'talker');
  await page.getByText('Running', { exact: true }).waitFor();
  await page.getByRole('switch', { name: 'Interrupt now' }).click();
  await page.keyboard.press('i');
  await page.keyboard.type('Count by address too.');
  await page.keyboard.press('Enter');
  const queue = page.getByRole('list', { name: 'Recent input' });
  await queue.getByText('Count by address too.').waitFor();
  await queue.getByText('Delivered', { exact: true }).waitFor();
  await talk(page, 'talker').getByText('Count by address too.', { exact: true }).waitFor();
  await talk(page, 'talker').getByText('Second turn.', { exact: true }).waitFor();
  expect(await page.locator('[data-input-line]').inputValue()).toBe('');
  const { conversation } = await home.conversation('talker');
  const heard = conversation.filter((entry) => entry.type === 'user_request');
  expect(heard).toHaveLength(1);
  await home.until('talker', 'COMPLETED');
});

it('TA7, TA17 a queued input can be cancelled, and an image that fits goes along', async () => {
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
    { name: 'other.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') },
  ]);
  await page.getByText('notes.txt is not a PNG').waitFor();
  await page.getByRole('list', { name: 'Attached images' }).getByText('dot.png').waitFor();
  await page.getByLabel('Input for later', { exact: true }).fill('Look at this.');
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove other.png' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  const queue = page.getByRole('list', { name: 'Recent input' });
  await queue.getByText('Queued', { exact: true }).waitFor();
  await queue.getByText('1 image').waitFor();
  await page.getByRole('button', { name: 'Cancel: Look at this.' }).click();
  await queue.getByText('Cancelled', { exact: true }).waitFor();
  expect((await home.inputs('later')).pending_inputs).toBe(0);
});

/** A conversation too long for a test: the daemon's answers are changed on their way to the page. */
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

it('TA5 of 10,000 interactions the end is shown at once, and earlier ones load without a jump', async () => {
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
  // At the top of the list the next page loads, and the reading position stays.
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
  await page.getByRole('button', { name: 'Jump to latest' }).click();
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
  await home.until('asker', 'COMPLETED');
});

it('TA6 all messages stay text, and invisible characters are marked', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const hostile = '<img src=x onerror=alert(1)> [go](javascript:alert(2)) \u202egnp.exe \u200bend';
  const steps = [
    `say ${hostile}`,
    `tool Bash {"command":"echo '<script>alert(3)</script>'"}`,
    'write <b>bold.txt </script><script>alert(4)</script>',
    'say ```html\\n<iframe src=//elsewhere.example></iframe>\\n```',
  ];
  await home.run('hostile', steps, { test_commands: [], end_criteria: hostile });
  await home.until('hostile', 'COMPLETED');
  await using page = await openDashboard(api);
  await openTask(page, 'hostile');
  const words = talk(page, 'hostile');
  await words.getByText('<img src=x onerror=alert(1)>').last().waitFor();
  await words.locator('mark[title="right-to-left override"]').last().waitFor();
  await words.getByText('<iframe src=//elsewhere.example></iframe>').last().waitFor();
  await words.getByRole('button', { name: /Bash/ }).first().click();
  for (const summary of await words.locator('summary').all()) await summary.click();
  await words.getByText("echo '<script>alert(3)</script>'").last().waitFor();
  expect(await words.locator('img, script, iframe, a').count()).toBe(0);
  await page.getByText('Diff', { exact: true }).click();
  await page.locator('summary').getByText('<b>bold.txt').waitFor();
  const patch = page.getByRole('region', { name: 'Changes of <b>bold.txt' });
  await patch.getByText('</script><script>alert(4)</script>').waitFor();
  expect(await page.locator('main :is(b, img, script, iframe)').count()).toBe(0);
  await page.goto(new URL('/events', api.url).href);
  await page.getByRole('link', { name: 'hostile', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'hostile' }).waitFor();
});
