import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EventHome, fill } from '../../support/events/event-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { testEventDelivery } from './event-delivery.ts';

testEventDelivery('poll', 'invalid_query', 'ws');

it('EV4 pages through everything with a filter, in order, each event once', async () => {
  await using world = new World();
  using home = new EventHome(world.home);
  fill(home.open({}, systemClock).log, 1_000);
  const { api } = await world.start();
  const seqs: number[] = [];
  for (let after = 0; ;) {
    const { body } = await api.get(`/api/events?after=${after}&limit=7&types=session.closed`);
    const page = body as unknown as { events: { seq: number }[]; next: number; head: number };
    seqs.push(...page.events.map(({ seq }) => seq));
    after = page.next;
    if (after >= page.head) break;
  }
  expect(seqs).toEqual(Array.from({ length: 250 }, (_, n) => 4 * n + 1));
});

it('EV19 the status shows what is kept, for how long, and its size on disk', async () => {
  await using world = new World({
    LOOPWATCH_RETENTION_EVENTS: '150',
    LOOPWATCH_RETENTION_DAYS: '2',
  });
  using home = new EventHome(world.home);
  fill(home.open({}, systemClock).log, 1_000);
  home[Symbol.dispose]();
  const { api } = await world.start();
  const size = () => statSync(join(world.home, 'loopwatch.db')).size;
  // The daemon may still be moving its last writes into the file.
  const { retention, disk_bytes } = await until('the size stays the same', async () => {
    const before = size();
    const { body } = await api.get('/api/status');
    return before === size() ? { retention: body['retention'], disk_bytes: before } : null;
  });
  expect(retention).toEqual({ days: 2, max_events: 150, events: 151, oldest: 851, disk_bytes });
});
