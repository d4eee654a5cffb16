/** What a query may cost the daemon, counted in parameters read. */
import { expect, it, vi } from 'vitest';
import { refusal } from '../../support/daemon/refusal.ts';
import { World } from '../../support/daemon/world.ts';

const MANY = Array.from({ length: 3_900 }, (_, number) => number.toString(36)).join('&');

it('WI15 no part of a query is read before the login, nor on a route that takes none', async () => {
  await using world = new World();
  const { api } = await world.start();
  using reads = new QueryReads();
  const none = { authorization: '' };
  expect({
    open: refusal(await api.send('GET', `/healthz?${MANY}`, undefined, none)),
    guarded: refusal(await api.send('GET', `/api/events?${MANY}`, undefined, none)),
    nowhere: refusal(await api.send('GET', `/api/nothing?${MANY}`, undefined, none)),
    withoutQuery: refusal(await api.send('GET', `/api/status?${MANY}`)),
  }).toEqual({
    open: '400 invalid_query',
    guarded: '401 unauthorized',
    nowhere: '401 unauthorized',
    withoutQuery: '400 invalid_query',
  });
  expect(reads.count).toBe(0);
});

it('WI9 a query is bounded in number and size, and read in one pass', async () => {
  await using world = new World();
  const { api } = await world.start();
  using reads = new QueryReads();
  const refusals = [];
  for (const query of [MANY, `session=${'x'.repeat(9_000)}`]) {
    refusals.push(refusal(await api.send('GET', `/api/events?${query}`)));
  }
  expect(refusals).toEqual(['400 invalid_query', '400 invalid_query']);
  expect(reads.count).toBe(0);
  const most = Array.from({ length: 32 }, (_, number) => `p${number}`).join('&');
  expect(refusal(await api.send('GET', `/api/events?${most}`))).toBe('400 invalid_query');
  expect(reads.count).toBe(32);
  expect(refusal(await api.send('GET', '/api/events?limit=1&limit=1'))).toBe('400 invalid_query');
  expect((await api.get('/api/events?limit=1&wait=0')).status).toBe(200);
});

/** Counts the parameters read: each method of a query iterates over all of them. */
class QueryReads {
  readonly #spies = (['getAll', 'get', 'has', 'keys', 'entries', Symbol.iterator] as const).map(
    (method) => vi.spyOn(URLSearchParams.prototype, method as 'getAll'),
  );

  get count(): number {
    return this.#spies
      .flatMap(({ mock }) => mock.contexts as unknown as URLSearchParams[])
      .reduce((sum, { size }) => sum + size, 0);
  }

  [Symbol.dispose](): void {
    for (const spy of this.#spies) spy.mockRestore();
  }
}
