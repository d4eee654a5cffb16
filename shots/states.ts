/** Answers of the daemon changed on their way to the page: late, refused, or very many. */
import type { Page } from 'playwright-core';

/** What the shell around every page reads; without it a page shows only its own error. */
const SHELL = /^\/api\/(status|tickets|sessions|task-auto|attention|events)$/;
const MANY = 200;

/** What a page reads on its own never arrives. */
export async function hold(page: Page): Promise<void> {
  await page.route('**/api/**', async () => new Promise<void>(() => undefined));
  await page.routeWebSocket('**/ws', () => undefined);
}

/** What a page reads on its own is refused; what the shell reads is not. */
export async function refuse(page: Page): Promise<void> {
  await page.route('**/api/**', async (route) => {
    if (SHELL.test(new URL(route.request().url()).pathname)) return route.continue();
    const error = { code: 'storage_failed', message: 'the disk is full', details: {} };
    return route.fulfill({ status: 507, json: { error } });
  });
}

/** As much work as a whole company has. */
export async function multiply(page: Page): Promise<void> {
  const routes = [
    { path: '**/api/sessions', list: 'sessions', key: 'name' },
    { path: '**/api/task-auto', list: 'loops', key: 'session_name' },
  ];
  for (const { path, list, key } of routes) {
    await page.route(path, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      const body = (await response.json()) as Record<string, Record<string, unknown>[]>;
      const items = body[list] ?? [];
      const copies = Array.from({ length: Math.ceil(MANY / 9) }, (_, n) =>
        items.map((item) => ({
          ...item,
          [key]: n === 0 ? item[key] : `${String(item[key])}-${n}`,
        })),
      );
      return route.fulfill({ response, json: { ...body, [list]: copies.flat() } });
    });
  }
}
