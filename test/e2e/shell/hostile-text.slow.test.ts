/**
 * The content of a terminal, path or address is shown as text. Every page here is watched: a
 * dialog, an error, a policy violation or a foreign request fails its test.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  card,
  openDashboard,
  openGuarded,
  openSession,
  screenOf,
  takeIncidents,
  useBrowser,
} from '../../support/browser/browser.ts';
import { openForeignSite } from '../../support/browser/foreign-site.ts';
import { CONTROLS, MARKUP } from '../../support/drills/hostile-corpus.ts';
import { typeInto } from '../../support/terminals/terminal-view.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const ESC = '\u001b';

/** Elements that text must never turn into. */
const MADE_OF_TEXT = 'a, img, svg, script, style, iframe, b';

it('PG6, SE5 markup, links, titles and colours from a terminal are text on the page', async () => {
  await using world = new World();
  const { api } = await world.start();
  const directory = world.taskDir('evil');
  writeFileSync(join(directory, 'corpus'), [...MARKUP, ...CONTROLS, 'the end', ''].join('\n'));
  await api.openSession('evil', directory);
  await using page = await openDashboard(api);
  await openSession(page, 'evil');
  await typeInto(api, 'evil', 'clear; cat corpus');
  const screen = screenOf(page, 'evil');
  await screen.getByText('the end').waitFor();
  const rows = (await screen.innerText()).split('\n').map((row) => row.trimEnd());
  expect(rows.slice(0, MARKUP.length)).toEqual(MARKUP);
  expect(rows.join('\n')).toMatch(/^a link\nanother link\ntitled\n.*coloured\n.*quoted\nthe end$/m);
  expect(await screen.locator(MADE_OF_TEXT).count()).toBe(0);
  expect(await page.title()).toBe('evil · Loopwatch');
});

it('PG6 two hundred kilobytes of colour codes neither break nor stop the page', async () => {
  await using world = new World();
  const { api } = await world.start();
  const directory = world.taskDir('colours');
  const codes = (n: number) => `${ESC}[${n % 110};38;2;${n % 256};${n % 300};7;4:3;${n}m`;
  const flood = Array.from({ length: 9_000 }, (_, n) => `${codes(n)}<${n % 10}`).join('');
  expect(flood.length).toBeGreaterThan(200_000);
  const nonsense = `${ESC}[${'1;'.repeat(20_000)}m${ESC}[${'9'.repeat(20_000)}m`;
  writeFileSync(join(directory, 'flood'), `${flood}${nonsense}${ESC}[0m\nthe end\n`);
  await api.openSession('colours', directory);
  await using page = await openDashboard(api);
  await openSession(page, 'colours');
  await typeInto(api, 'colours', 'cat flood');
  await screenOf(page, 'colours').getByText('the end', { exact: true }).waitFor();
  await typeInto(api, 'colours', 'clear; echo still $((40 + 2))');
  await screenOf(page, 'colours').getByText('still 42').waitFor();
});

it('PG6 markup in directories and in a signal is text in cards, dialog and events', async () => {
  await using world = new World();
  const { api } = await world.start();
  const name = `<b onmouseover="alert(11)">'"&lt;`;
  const directory = world.taskDir(name);
  await api.openSession('odd', directory);
  const text = '{"step":"<img src=x onerror=alert(12)>","result":"PASS","next":"exec"}';
  const taskDir = world.taskDir('task', { steps: [{ do: 'raw_signal', text }] });
  expect((await api.startLoop('odd', taskDir)).status).toBe(201);
  await using page = await openDashboard(api);
  await card(page, 'odd').getByText(taskDir, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show events' }).click();
  await page.getByText('Signal ignored: an invalid field').waitFor();
  await page.getByText(`Session opened in ${directory}`).waitFor();
  expect(await page.locator('b, main img').count()).toBe(0);
  await openSession(page, 'odd');
  await card(page, 'odd').getByText(directory).waitFor();
  await page.getByText(`Session opened in ${directory}`).waitFor();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Task directory').fill(`${directory}<i>`);
  await dialog.getByLabel('Session name').fill('odd2');
  await dialog.getByLabel('Task directory').press('Enter');
  await dialog.getByText(`${directory}<i> is not a directory`).waitFor();
  expect(await page.locator('i, b').count()).toBe(0);
});

it('PG6 markup in an address is text, and a login code is not executed either', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  const name = '<img src=x onerror=alert(13)>';
  await page.goto(`${api.url}/sessions/${encodeURIComponent(name)}`);
  await page.getByText(`There is no session named ${name}.`).waitFor();
  await page.goto(`${api.url}/sessions/javascript:alert(14)?q=<script>#<script>`);
  await page.getByRole('heading', { name: 'No such session' }).waitFor();
  await page.goto(`${api.url}/<script>alert(15)</script>/a/b`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  // The router logs this to the console; as text there too.
  expect(takeIncidents()).toEqual([expect.stringContaining('Not found: /%3Cscript%3E')]);
  await using stranger = await openGuarded(api);
  const login = await stranger.newPage();
  await login.goto(`${api.url}/#k=<img src=x onerror=alert(16)>`);
  await login.getByText('This link was already used or has expired.').waitFor();
});

it('GA10 the page can load from and connect to its daemon only, also by a script in it', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using site = await openForeignSite();
  await using page = await openDashboard(api);
  const attempts = {
    fetch: `fetch('${site.url}/fetch')`,
    beacon: `navigator.sendBeacon('${site.url}/beacon')`,
    socket: `new WebSocket('${site.url.replace('http', 'ws')}/socket')`,
    image: `new Image().src = '${site.url}/image'`,
    script: `document.body.append(Object.assign(document.createElement('script'), { src: '${site.url}/script' }))`,
    module: `import('${site.url}/module.js')`,
    inline: `document.body.append(Object.assign(document.createElement('script'), { text: 'globalThis.ran = 1' }))`,
    markup: `document.body.innerHTML = '<img src=x onerror="globalThis.ran = 2">'`,
    frame: `document.body.append(Object.assign(document.createElement('iframe'), { src: '${site.url}/frame' }))`,
    form: `(() => {
      const form = document.createElement('form');
      form.action = '${site.url}/form';
      document.body.append(form);
      form.submit();
    })()`,
    base: `document.head.append(Object.assign(document.createElement('base'), { href: '${site.url}' }))`,
    evaluate: `setTimeout('globalThis.ran = 3')`,
  };
  for (const attempt of Object.values(attempts)) {
    await page.evaluate(`(async () => { try { await (${attempt}) } catch {} })()`);
  }
  // A request of the page itself gets through, after all the others.
  expect(await page.evaluate(`fetch('/healthz').then((response) => response.status)`)).toBe(200);
  expect(site.requests).toEqual([]);
  expect(await page.evaluate('globalThis.ran ?? null')).toBe(null);
  const breaches = takeIncidents().flatMap((text) => /^breach: (\S+)/.exec(text)?.[1] ?? []);
  expect([...new Set(breaches)].sort()).toEqual(
    ['base-uri', 'connect-src', 'form-action', 'frame-src', 'img-src', 'script-src-elem']
      .concat('require-trusted-types-for')
      .sort(),
  );
});
