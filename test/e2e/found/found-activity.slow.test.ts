/** The activity of a session that Loopwatch did not start, and what its subagents did. */
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { find, FoundWorld } from '../../support/found/found-world.ts';
import { join as invited } from '../../support/daemon/invite-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { callLine, resultLine } from '../../support/agents/transcript-lines.ts';
import { until } from '../../support/house/until.ts';
import { writeSubagent } from '../../support/agents/write-subagent.ts';

useBrowser();

const AGENT = 'a019444c243e7e048';
const call = (id: string, command: string) =>
  callLine(id, 'Bash', { command }, { isSidechain: true, agentId: AGENT });

it('SA11 SA12 the page of a found session shows its calls, and those of a subagent once opened', async () => {
  await using stage = new FoundWorld();
  const { api } = await stage.world.start();
  const one = await stage.client({ name: 'prices', status: 'busy' });
  const lines = [
    callLine('e', 'Edit', { file_path: '/p/parser.ts' }),
    resultLine('e', 'ok'),
    callLine('toolu_1', 'Agent', { description: 'Look around', subagent_type: 'Explore' }),
  ];
  for (const line of lines) one.say(JSON.parse(line) as Record<string, unknown>);
  await find(api, one);
  await until('its transcript', async () => (await find(api, one)).transcript !== null);
  const transcript = one.transcript;
  const padding = ' '.repeat(4_000);
  const earlier = Array.from({ length: 100 }, (_, n) => call(`n${n}`, `step ${n}`) + padding);
  const own = writeSubagent(transcript, AGENT, 'toolu_1', [...earlier, call('a', 'echo one')]);

  const path = `/api/found/${one.id}/activity`;
  expect((await api.get(path)).body).toMatchObject({
    status: 'shown',
    conversation: expect.any(String) as string,
  });
  expect((await api.get('/api/found/1-2/activity')).status).toBe(404);
  const { api: viewer } = await invited(api, 'Noor', 'viewer');
  expect((await viewer.get(path)).status).toBe(403);

  await using page = await openDashboard(api, { viewport: { width: 1440, height: 900 } });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('subagent=')) asked.push(request.url());
  });
  await page.goto(`${api.url}/found/${one.id}`);
  const panel = page.getByRole('region', { name: 'Activity' });
  const opener = panel.getByRole('button', { name: /Explore/ });
  await opener.waitFor();
  expect(await panel.getByRole('region', { name: 'Files' }).innerText()).toContain('/p/parser.ts');
  expect(asked).toEqual([]);
  expect(await opener.getAttribute('aria-expanded')).toBe('false');
  await opener.focus();
  await page.keyboard.press('Enter');
  expect(await opener.getAttribute('aria-expanded')).toBe('true');
  const calls = panel.getByRole('group', { name: 'Calls of Look around' });
  const shown = calls.getByRole('listitem');
  await shown.first().getByText('echo one').waitFor();
  expect(await calls.getByText('by a subagent').count()).toBe(0);
  own.write(call('b', 'echo two'));
  await shown.first().getByText('echo two').waitFor();
  await calls.getByRole('button', { name: 'Show older' }).click();
  await calls.getByText('step 0', { exact: true }).waitFor();
  expect(await shown.count()).toBe(102);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await opener.click();
  await calls.waitFor({ state: 'detached' });
});
