/** Hostile text in every place that shows foreign text, checked on every page. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { PAGES } from '../../../web/lib/views/pages.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { connection, openDashboard, screenOf, useBrowser } from '../../support/browser/browser.ts';
import {
  CONTROLS,
  LONG_WORD,
  MADE_OF_TEXT,
  MARKUP,
  megabyteOfColours,
  ODD,
} from '../../support/drills/hostile-corpus.ts';
import { askPerson, BASH_REQUEST, QUESTION_REQUEST } from '../../support/agents/need-person.ts';
import { typeInto } from '../../support/terminals/terminal-view.ts';
import { WebhookReceiver } from '../../support/alerts/webhook-receiver.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const ALL = [...MARKUP, ...CONTROLS, ...ODD, LONG_WORD].join('\n');
const [IMAGE = ''] = MARKUP;
const NARROW = { width: 390, height: 844 };
const WIDE = { width: 1440, height: 900 };

/** Questions and permissions with hostile text in every field. */
async function askEvil(world: World, api: ApiClient): Promise<Promise<unknown>[]> {
  const question = {
    question: ALL,
    header: IMAGE,
    options: [...MARKUP, LONG_WORD].map((label) => ({ label, description: ALL })),
    multiSelect: true,
  };
  const asked = [
    await askPerson(world, api, 'asks', { ...BASH_REQUEST, input: { command: ALL, [IMAGE]: ALL } }),
    await askPerson(world, api, 'asks', { ...BASH_REQUEST, tool: `mcp__${IMAGE}__${LONG_WORD}` }),
    await askPerson(world, api, 'asks', { ...QUESTION_REQUEST, input: { questions: [question] } }),
  ];
  return asked.map(async ({ answer }) => answer);
}

/** Rules with hostile names whose webhook and command return hostile output. */
async function alertEvil(world: World, api: ApiClient, url: string): Promise<void> {
  const corpus = join(world.root, 'user', 'corpus');
  writeFileSync(corpus, ALL);
  const print = ['/bin/sh', '-c', `tail -c 900 '${corpus}'; exit 1`, ...MARKUP];
  const rules = [
    { name: IMAGE, target: { kind: 'webhook', url: `${url}?${encodeURIComponent(LONG_WORD)}` } },
    { name: 'W'.repeat(80), target: { kind: 'command', argv: print } },
  ];
  for (const rule of rules) {
    const body = { ...rule, types: ['session.created', 'auto.*'] };
    expect((await api.send('POST', '/api/alerts', body)).status).toBe(201);
  }
}

/** A session in a hostile directory, and a loop that reports only nonsense. */
async function workEvil(world: World, api: ApiClient): Promise<string> {
  const directory = world.taskDir(`${IMAGE}'"&lt;{{7*7}}`);
  await api.openSession('evil', directory);
  const word = world.taskDir(LONG_WORD, {
    title: ALL,
    steps: ALL.split('\n').map((step) => ({
      do: 'raw_signal',
      text: JSON.stringify({ step, result: 'PASS', next: 'exec' }),
    })),
  });
  await api.openSession('word', word);
  expect((await api.startLoop('word', word)).status).toBe(201);
  return directory;
}

/** The harm a page does with the text that it shows; must be empty. */
async function findHarm(page: Page, where: string): Promise<string[]> {
  const harm: string[] = [];
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    const wide = await page.evaluate<number>('document.scrollingElement.scrollWidth');
    if (wide > size.width) harm.push(`${where}: ${wide} px at ${size.width}`);
  }
  const made = await page.locator('main').locator(MADE_OF_TEXT).count();
  if (made > 0) harm.push(`${where}: ${made} elements made of text`);
  return harm;
}

it('PG6, PG7 no page runs, loads or is distorted by what agents, files, names and receivers write', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open(
    (response) => void response.writeHead(500).end(ALL),
  );
  const { api } = await world.start();
  await alertEvil(world, api, receiver.url);
  const directory = await workEvil(world, api);
  const asked = await askEvil(world, api);
  writeFileSync(join(directory, 'corpus'), `${ALL}\nthe end\n`);
  await typeInto(api, 'evil', 'clear; cat corpus');
  await api.event('auto.signal_rejected');
  await api.event('alert.failed');

  await using page = await openDashboard(api);
  const harm: string[] = [];
  for (const { path } of PAGES) {
    await page.goto(api.url + path);
    await connection(page, 'Live').waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
    if (path === '/') await page.getByText(directory).first().waitFor();
    if (path === '/alerts') await readAlerts(page);
    harm.push(...(await findHarm(page, path)));
  }
  for (const session of ['evil', 'word', 'asks']) {
    await page.goto(`${api.url}/sessions/${session}`);
    await connection(page, 'Live').waitFor();
    await page.getByRole('heading', { level: 1, name: session }).waitFor();
    if (session === 'evil') await screenOf(page, 'evil').getByText('the end').waitFor();
    harm.push(...(await findHarm(page, session)));
  }
  expect(harm).toEqual([]);
  for (const session of ['asks', 'evil']) await api.send('DELETE', `/api/sessions/${session}`);
  await Promise.all(asked);
});

/** Unfolds everything a receiver answered and a command printed. */
async function readAlerts(page: Page): Promise<void> {
  const rule = page.getByRole('article', { name: IMAGE, exact: true });
  await rule.getByRole('heading', { name: IMAGE }).waitFor();
  await rule.getByRole('button', { name: `Test ${IMAGE}` }).click();
  await rule.getByLabel('Response').getByText(IMAGE).waitFor();
  const summaries = page.getByText('View payload');
  for (let n = 0; n < Math.min(4, await summaries.count()); n += 1) await summaries.nth(n).click();
  await page.getByLabel('Payload').first().waitFor();
}

it('PG6 a megabyte of colours in one row leaves the page responsive', async () => {
  await using world = new World();
  const { api } = await world.start();
  const directory = world.taskDir('colours');
  const flood = megabyteOfColours('only these words');
  expect(flood.length).toBeGreaterThan(1_000_000);
  writeFileSync(join(directory, 'flood'), `${flood}\n`);
  await api.openSession('colours', directory);
  await using page = await openDashboard(api);
  await page.goto(`${api.url}/sessions/colours`);
  await typeInto(api, 'colours', 'cat flood');
  await screenOf(page, 'colours').getByText('only these words').waitFor();
  await typeInto(api, 'colours', 'clear; echo still $((40 + 2))');
  await screenOf(page, 'colours').getByText('still 42').waitFor();
});
