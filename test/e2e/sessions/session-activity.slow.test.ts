/** The activity next to a terminal: read from the transcript while in sight, for operators only. */
import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { startSteps } from '../../support/auto/loops-in-trouble.ts';
import { transcriptOf } from '../../support/agents/session-transcript.ts';
import { callLine, resultLine } from '../../support/agents/transcript-lines.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const LONG_STEP = { do: 'step', work_ms: 3_600_000, signal: CHECK };

it('SA4 SA6 SA7 SA9 the panel follows the transcript: todos, subagents, files and calls', async () => {
  await using world = new World();
  const { api } = await world.start();
  await startSteps(world, api, 'web', [LONG_STEP]);
  const transcript = await transcriptOf(world, api, 'web');
  await using page = await openDashboard(api);
  await page.goto(`${api.url}/sessions/web`);
  const panel = page.getByRole('region', { name: 'Activity' });
  await panel.getByText('No transcript yet').waitFor();
  transcript.write(
    callLine('t', 'TodoWrite', {
      todos: [
        { content: 'Read the parser', status: 'completed' },
        { content: 'Fix it', status: 'in_progress' },
      ],
    }),
    callLine('a', 'Edit', { file_path: '/p/parser.ts' }),
    resultLine('a', 'ok'),
    callLine('b', 'Bash', { command: '<b>npm test</b>\u202e' }),
    resultLine('b', 'exit 1', true),
    callLine('c', 'Task', { description: 'Find callers', subagent_type: 'Explore' }),
  );
  await panel.getByText('1 of 2 done').waitFor();
  const files = panel.getByRole('region', { name: 'Files' });
  expect(await files.innerText()).toMatch(/changed\s+\/p\/parser\.ts/);
  const agents = panel.getByRole('region', { name: 'Subagents' });
  expect(await agents.innerText()).toMatch(/Explore\s+Find callers\s+running/);
  const calls = panel.getByRole('region', { name: 'Tools used' });
  const lines = calls.getByRole('listitem');
  expect(await lines.first().innerText()).toContain('Explore');
  expect(await lines.nth(1).innerText()).toMatch(/Bash\s+<b>npm test<\/b>.*failed/s);
  expect(await panel.locator('b').count()).toBe(0);
  expect(await scanAccessibility(page)).toEqual([]);
  // The scan ends on a narrow page.
  await page.setViewportSize({ width: 1440, height: 900 });

  transcript.write(resultLine('c', 'found 3'));
  await api.send('POST', '/api/sessions/web/input', { text: 'more', submit: false });
  await agents.getByText('running').waitFor({ state: 'detached' });
  rmSync(transcript.path);
  await api.send('POST', '/api/sessions/web/input', { text: ' and more', submit: false });
  await panel.getByText('The transcript is no longer there').waitFor();
  expect(await lines.count()).toBe(4);

  // Nothing is read again on its own: only the screen and the agent lead to a reading.
  let asked = 0;
  await page.route('**/api/sessions/web/activity*', async (route) => {
    asked += 1;
    await route.continue();
  });

  // On a phone it is a part of its own, and nothing is read while it is not shown.
  await page.setViewportSize({ width: 390, height: 844 });
  await panel.waitFor({ state: 'hidden' });
  const rows = page.getByRole('region', { name: 'Screen of web' });
  const redrawn = async () => {
    const shown = await rows.innerText();
    await expect.poll(async () => rows.innerText()).not.toBe(shown);
  };
  // What was under way when it was hidden is over with the first of these.
  await redrawn();
  const before = asked;
  await redrawn();
  await redrawn();
  expect(asked).toBe(before);
  await page.locator('label').filter({ hasText: 'Activity' }).click();
  await panel.waitFor();
  expect(await rows.isVisible()).toBe(false);
});

it('SA4 SA8 a program without a conversation says why, and viewers see no activity', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('plain', world.taskDir('plain'));
  const { body } = await api.get('/api/sessions/plain/activity');
  expect(body).toMatchObject({ status: 'no_agent', steps: [] });
  await using page = await openDashboard(api);
  await page.goto(`${api.url}/sessions/plain`);
  await page.getByRole('region', { name: 'Activity' }).getByText('No agent has run').waitFor();
  const person = await api.send('POST', '/api/people', { name: 'Vi', role: 'viewer' });
  const link = new URL(String(person.body['link'])).hash.slice(3);
  const login = await api.send('POST', '/api/login', { code: link });
  const answer = await api.send('GET', '/api/sessions/plain/activity', undefined, {
    authorization: `Bearer ${String(login.body['token'])}`,
  });
  expect(answer.status).toBe(403);
});
