/**
 * Screenshots of every page in every state, from the real daemon with the stand-in as agent, into
 * `.shots`. The pages come from the navigation. Ends with 1 when a page logs an error or has to be
 * scrolled sideways.
 */
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { CHROMIUM } from './chromium.ts';
import { packageRoot } from '../server/lib/package-root.ts';
import { Camera, type Variant, TWO_VARIANTS } from './camera.ts';
import { makeCompany } from './company.ts';
import { ShotsHome } from './home.ts';
import { SCENES } from './scenes.ts';
import { hold, multiply, refuse } from './states.ts';

const PATIENCE_MS = 120_000;
/** What a page reads on its own has arrived by then. */
const READ_MS = 400;

const camera = new Camera(join(packageRoot(), '.shots'));
const began = performance.now();

/** A logged-in person, in a browser context of their own. */
async function logIn(browser: Browser, home: ShotsHome): Promise<BrowserContext> {
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto((await home.send('POST', '/api/login-codes'))['link'] as string);
  await page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
  await page.close();
  return context;
}

/** Opens a page, live, with what it reads on its own. */
async function open(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  camera.watch(page);
  await page.goto(url);
  await page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
  await page.waitForTimeout(READ_MS);
  return page;
}

async function listPaths(context: BrowserContext, home: ShotsHome): Promise<string[]> {
  const page = await open(context, home.url);
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  const paths = await links.evaluateAll((found) =>
    found.map((link) => (link as unknown as { pathname: string }).pathname),
  );
  await page.close();
  return paths;
}

function nameOf(path: string): string {
  return path === '/' ? 'overview' : path.slice(1).replaceAll('/', '-');
}

async function takeEmpty(browser: Browser, home: ShotsHome): Promise<string[]> {
  const stranger = await browser.newPage();
  await stranger.goto(home.url);
  await stranger.getByRole('button', { name: 'Log in' }).waitFor();
  await camera.take(stranger, 'login');
  await stranger.close();
  await using context = await logIn(browser, home);
  const paths = await listPaths(context, home);
  for (const path of paths) {
    const page = await open(context, home.url + path);
    await camera.take(page, `${nameOf(path)}-empty`, TWO_VARIANTS);
    await page.close();
  }
  return paths;
}

async function takeFull(
  context: BrowserContext,
  home: ShotsHome,
  path: string,
  variants?: readonly Variant[],
): Promise<void> {
  const url = home.url + path;
  const name = nameOf(path);
  const page = await open(context, url);
  await camera.take(page, name, variants);
  await page.close();
  for (const scene of SCENES[path] ?? []) {
    const staged = await open(context, url);
    await scene.act(staged);
    await camera.take(staged, `${name}-${scene.name}`, TWO_VARIANTS);
    await staged.close();
  }
}

async function takeTroubled(context: BrowserContext, url: string, name: string): Promise<void> {
  const loading = await context.newPage();
  camera.watch(loading);
  await hold(loading);
  await loading.goto(url);
  await loading.waitForTimeout(READ_MS);
  await camera.take(loading, `${name}-loading`, TWO_VARIANTS);
  await loading.close();
  const refused = await context.newPage();
  camera.watch(refused);
  await refuse(refused);
  await refused.goto(url);
  await refused.waitForTimeout(3 * READ_MS);
  await camera.take(refused, `${name}-error`, TWO_VARIANTS);
  await refused.close();
}

async function takeMany(context: BrowserContext, url: string, name: string): Promise<void> {
  const page = await context.newPage();
  camera.watch(page);
  await multiply(page);
  await page.goto(url);
  await page.waitForTimeout(2 * READ_MS);
  await camera.take(page, `${name}-200-sessions`, TWO_VARIANTS);
  await page.close();
}

/** The daemon stops under open pages. */
async function takeOffline(
  context: BrowserContext,
  home: ShotsHome,
  paths: readonly string[],
): Promise<void> {
  const pages = new Map<string, Page>();
  for (const path of paths) pages.set(nameOf(path), await open(context, home.url + path));
  await home.stop();
  for (const [name, page] of pages) {
    await page
      .getByRole('banner')
      .getByText(/^(Offline|Resuming)$/)
      .waitFor();
    await camera.take(page, `${name}-offline`, TWO_VARIANTS);
  }
}

async function takeAll(): Promise<void> {
  await using home = new ShotsHome();
  await home.start();
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  // What is under way fails then, and everything that was started ends.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void browser.close());
  try {
    const paths = await takeEmpty(browser, home);
    await using company = await makeCompany(home);
    await using context = await logIn(browser, home);
    for (const path of paths) await takeFull(context, home, path);
    for (const path of company.pages) await takeFull(context, home, path, TWO_VARIANTS);
    for (const [name, path] of Object.entries(company.runs)) {
      const page = await open(context, home.url + path);
      await camera.take(page, name, TWO_VARIANTS);
      await page.close();
    }
    for (const name of company.sessions)
      await takeFull(context, home, `/sessions/${name}`, TWO_VARIANTS);
    for (const path of paths) await takeTroubled(context, home.url + path, nameOf(path));
    await takeMany(context, home.url, 'overview');
    await takeOffline(context, home, [...paths, `/sessions/${company.sessions[0] ?? ''}`]);
  } finally {
    await browser.close();
  }
}

await takeAll();
const seconds = Math.round((performance.now() - began) / 1000);
process.stdout.write(`${camera.list().join('\n')}\n${camera.list().length} in ${seconds} s\n`);
if (camera.faults.length > 0) {
  process.stderr.write(`${[...new Set(camera.faults)].join('\n')}\n`);
  process.exitCode = 1;
}
