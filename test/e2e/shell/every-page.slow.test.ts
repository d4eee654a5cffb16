/** What holds on every route: its main action fits a phone, and it reads each list once. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import {
  connection,
  openDashboard,
  takeIncidents,
  useBrowser,
} from '../../support/browser/browser.ts';
import { RunHome } from '../../support/runs/run-home.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const PHONE = { width: 390, height: 844 };
const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const STEP = { do: 'step', work_ms: 3_600_000, signal: CHECK };
/** What the person comes for, by route. */
const MAIN_ACTIONS: Record<string, (page: Page) => Locator> = {
  '/': button('Start a loop'),
  '/wall': button('Add session'),
  '/wall?follow=web,nobody': button('Remove nobody'),
  '/tasks': button('New task'),
  '/tasks?layout=board': button('New task'),
  '/tasks/worker': button('Send'),
  '/tasks/worker?part=diff': button('Refresh'),
  '/tasks/worker?part=tests': button('Merge…'),
  '/tasks/nobody': link('Back to tasks'),
  '/runs': button('New run'),
  '/runs/RUN': button('Merge…'),
  '/runs/RUN?part=plan': button('Copy path of the plan'),
  '/runs/RUN?part=checks': button('Merge…'),
  '/runs/RUN?part=diff': button('Refresh'),
  '/runs/RUN?part=replay': button('Play'),
  '/runs/RUN?part=report': button('Copy Markdown of the report'),
  '/runs/nobody': link('Back to runs'),
  '/modules': button('New module'),
  '/modules/nobody': link('Back to modules'),
  '/prompts': button('New prompt'),
  '/projects': button('New setup'),
  '/inbox': button('Notifications'),
  '/history': button('Start a loop'),
  '/report': button('Refresh'),
  '/usage': (page) => page.getByText('30 days', { exact: true }),
  '/events': button('Pause'),
  '/alerts': button('New alert'),
  '/checks': button('Check again'),
  '/people': button('Create link'),
  '/help': link('Help'),
  '/fleet': button('Copy loopwatch fleet init --name desk'),
  '/sessions/web': button('Stop the loop of web'),
  '/sessions/nobody': link('Back to the overview'),
  '/found/1-1': link('Back to the overview'),
};
/** In every answer and frame, what is chosen from a list is a word that this version does not know. */
const NEWER_WORDS = `
  const NAMES = ['status', 'state', 'reason', 'cause', 'kind', 'wait', 'step', 'result', 'proof'];
  function newer(value) {
    if (value === null || typeof value !== 'object') return value;
    for (const [name, part] of Object.entries(value)) {
      const isWord = NAMES.includes(name) && typeof part === 'string' && /^[a-z_]+$/i.test(part);
      if (isWord) value[name] = 'later_word';
      else newer(part);
    }
    return value;
  }
  const { parse } = JSON;
  JSON.parse = (...given) => newer(parse(...given));
  Response.prototype.json = async function () {
    return JSON.parse(await this.text());
  };
`;
/** A page that reads in a circle reads about once in each. */
const ROUND_TRIPS = 10;

function button(name: string) {
  return (page: Page) => page.getByRole('button', { name, exact: true }).first();
}

function link(name: string) {
  return (page: Page) => page.getByRole('link', { name, exact: true }).first();
}

/** The name of the only run is not known before it is started. */
function routes(run: string): [path: string, actionOn: (page: Page) => Locator][] {
  return Object.entries(MAIN_ACTIONS).map(([path, action]) => [path.replace('RUN', run), action]);
}

/** A loop at work, a task and a run that ended, an alert, a prompt. */
async function fill(world: World): Promise<{ api: ApiClient; run: string }> {
  const { api } = await world.start();
  const directory = world.taskDir('web', { steps: [STEP] });
  await api.openSession('web', directory);
  expect((await api.startLoop('web', directory)).status).toBe(201);
  const home = new TaskHome(world, api);
  await home.run('worker', ['write greet.txt hello', 'say Done.'], { test_commands: [] });
  await home.until('worker', 'COMPLETED');
  const runs = new RunHome(world, api, 'phased');
  const { id: run } = await runs.start();
  await runs.sees(run, 'has a report', ({ has_report }) => has_report);
  const target = { kind: 'command', argv: ['/bin/true'] };
  await api.send('POST', '/api/alerts', { name: 'Desk', types: ['auto.failed'], target });
  const prompt = { title: 'Review', category: 'review', content: 'Read the diff.' };
  await api.send('POST', '/api/v1/prompts', prompt);
  return { api, run };
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await connection(page, 'Live').waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
}

it('PG7 at 390 px no route scrolls sideways, and its main action is inside', async () => {
  await using world = new World();
  const { api, run } = await fill(world);
  await using page = await openDashboard(api, { viewport: PHONE });
  for (const [path, actionOn] of routes(run)) {
    await open(page, api.url + path);
    const action = actionOn(page);
    await action.waitFor();
    const wide = await page.evaluate<number>('document.scrollingElement.scrollWidth - innerWidth');
    expect([path, wide]).toEqual([path, 0]);
    const { x, width } = (await action.boundingBox()) ?? { x: -1, width: 0 };
    expect([path, x >= 0 && x + width <= PHONE.width]).toEqual([path, true]);
  }
});

it('PG7 at 390 px the buttons of a form are in sight before anything is scrolled', async () => {
  await using world = new World();
  const { api } = await fill(world);
  await using page = await openDashboard(api, { viewport: PHONE });
  for (const [path, opener, submit] of [
    ['/', 'Start a loop', 'Start loop'],
    ['/tasks', 'New task', 'Create task'],
    ['/runs', 'New run', 'Start run'],
    ['/modules', 'New module', 'Create'],
    ['/prompts', 'New prompt', 'Create prompt'],
    ['/projects', 'New setup', 'Save'],
    ['/alerts', 'New alert', 'Create alert'],
  ] as const) {
    await open(page, api.url + path);
    await button(opener)(page).click();
    const action = page.getByRole('dialog').getByRole('button', { name: submit, exact: true });
    const { y, height } = (await action.boundingBox()) ?? { y: -1, height: 0 };
    expect([submit, y >= 0 && y + height <= PHONE.height]).toEqual([submit, true]);
  }
});

it('PG15 a route that nothing changes reads nothing again', async () => {
  await using world = new World();
  const { api, run } = await fill(world);
  await using page = await openDashboard(api);
  const reads = new Map<string, number>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    reads.set(pathname, (reads.get(pathname) ?? 0) + 1);
  });
  for (const [path, actionOn] of routes(run)) {
    await open(page, api.url + path);
    await actionOn(page).waitFor();
    reads.clear();
    for (let n = 0; n < ROUND_TRIPS; n += 1) {
      await page.evaluate('fetch("/favicon.svg", { cache: "no-store" })');
    }
    const again = [...reads].filter(([read, n]) => read.startsWith('/api/') && n > 2);
    expect([path, again]).toEqual([path, []]);
  }
});

it('FH28 words that only a newer host knows break no route', async () => {
  await using world = new World();
  const { api, run } = await fill(world);
  await using page = await openDashboard(api);
  await page.addInitScript(NEWER_WORDS);
  for (const [path] of routes(run)) {
    await open(page, api.url + path);
    // What it reads on its own is shown by then, as far as it is shown at all.
    await page.waitForLoadState('networkidle');
    const text = await page.getByRole('main').innerText();
    expect([path, /undefined|\[object/.exec(text)?.[0]]).toEqual([path, undefined]);
    expect([path, takeIncidents()]).toEqual([path, []]);
  }
  await open(page, `${api.url}/tasks`);
  await page.getByText('Later word').first().waitFor();
});
