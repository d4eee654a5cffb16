/** Respawn as a page reads it, in a chosen scene, independent of the daemon's state. */
import type { Page, Request } from 'playwright-core';
import type { RespawnScene } from './respawn-scenes.ts';

/** Above the events of the daemon of a test. */
const FIRST_SEQ = 100_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export interface ServedRespawn {
  /** What the page asked for besides reading, as "POST start" with its body. */
  readonly asked: { what: string; body: unknown }[];
  /** Refuses these from now on. */
  refuse(error: { status: number; code: string; message: string }): void;
}

/** Serves the scene as if it were now; null is a session that was never kept going. */
export async function serveRespawn(
  page: Page,
  session: string,
  { view, config, events, wallMs }: RespawnScene,
  isKept = true,
): Promise<ServedRespawn> {
  const asked: ServedRespawn['asked'] = [];
  let refusal: { status: number; json: unknown } | null = null;
  const byMs = Date.now() - wallMs;
  await page.route(`**/api/sessions/${session}/respawn**`, async (route) => {
    const request = route.request();
    const tail = new URL(request.url()).pathname.split('/respawn')[1] ?? '';
    if (request.method() === 'GET') {
      const known = isKept ? view : { ...view, runs: 0, actions: [] };
      const json = tail === '/config' ? config : moved(known, byMs);
      return route.fulfill({ json });
    }
    asked.push({ what: `${request.method()} ${tail.slice(1)}`, body: bodyOf(request) });
    return route.fulfill(refusal ?? { json: {} });
  });
  await page.route(`**/api/events?*session=${session}*`, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { events: unknown[] };
    const more = events.map((event) => ({
      ...(moved(event, byMs) as object),
      session,
      seq: event.seq + FIRST_SEQ,
    }));
    return route.fulfill({ response, json: { ...body, events: [...more, ...body.events] } });
  });
  return {
    asked,
    refuse: ({ status, code, message }) => {
      refusal = { status, json: { error: { code, message, details: {} } } };
    },
  };
}

function bodyOf(request: Request): unknown {
  const text = request.postData();
  return text === null ? null : (JSON.parse(text) as unknown);
}

/** Every time in it, later by so much. */
function moved(value: unknown, byMs: number): unknown {
  if (typeof value === 'string' && TIME.test(value)) {
    return new Date(Date.parse(value) + byMs).toISOString();
  }
  if (Array.isArray(value)) return value.map((one) => moved(one, byMs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, moved(one, byMs)]));
}
