/** The log read backwards. */
import { expect, it } from 'vitest';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { EventsPage } from '../../../shared/schema/requests.ts';
import { EventHome, fill, sampleEvent } from '../../support/events/event-home.ts';
import { eventsBefore } from '../../../server/events/events-before.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { World } from '../../support/daemon/world.ts';

const ALL = { types: ['*'], sessions: null };

it.each([
  ['all events', ALL],
  ['one session', { types: ['*'], sessions: ['odd'] }],
  ['some types of one session', { types: ['auto.*'], sessions: ['odd'] }],
  ['two sessions', { types: ['session.closed'], sessions: ['odd', 'even'] }],
  ['what never happened', { types: ['auto.failed'], sessions: ['odd'] }],
])('EV12 pages backwards reach every event of %s once, newest first', async (_, filter) => {
  using home = new EventHome();
  const { log } = home.open();
  fill(log, 5_000);
  const expected = [];
  for (let seq = log.head; seq >= 1; seq -= 1) {
    const { type, session = null } = sampleEvent(seq - 1);
    const selected =
      (filter.types.includes('*') ||
        filter.types.some((t) => type.startsWith(t.replace('*', '')))) &&
      (filter.sessions === null || filter.sessions.includes(session ?? ''));
    if (selected) expected.push(seq);
  }
  const seen: number[] = [];
  let before = log.head + 1;
  while (before !== 0) {
    const { events, next } = await eventsBefore(log, before, filter, 700);
    expect(next).toBeLessThan(before);
    seen.push(...events.map(({ seq }) => seq));
    before = next;
  }
  expect(seen).toEqual(expected);
});

it('EV12 EV20 paging backwards ends where retention removed events, and one answer reads a bounded part', async () => {
  using home = new EventHome();
  const { log } = home.open({ maxEvents: 30_000 });
  fill(log, 32_000);
  log.prune();
  const none = { types: ['auto.failed'], sessions: null };
  const first = await eventsBefore(log, log.head + 1, none, 10);
  expect(first).toEqual({ events: [], next: 12_001 });
  expect(await eventsBefore(log, first.next, none, 10)).toEqual({ events: [], next: 0 });
  expect((await eventsBefore(log, 2_003, ALL, 10)).events.map(({ seq }) => seq)).toEqual([
    2002, 2001,
  ]);
});

it('EV12 EV21 before is a separate cursor: with after or wait it is 400, from another epoch a reset', async () => {
  await using world = new World();
  const { api } = await world.start();
  for (const name of ['one', 'two']) await api.openSession(name, world.taskDir(name));
  const page = async (query: string) =>
    (await api.get(`/api/events?${query}`)).body as unknown as EventsPage;
  const all = await api.events();
  const last = await page(`before=${all.length + 1}&limit=1`);
  expect(last.events).toEqual(all.slice(-1));
  const rest = await page(`before=${last.next}&session=one`);
  expect((rest.events as EventRecord[]).map(({ session }) => session)).toEqual(['one']);
  expect(rest.next).toBe(0);
  const { epoch, head } = last;
  expect((await page(`before=${epoch}:${head}&limit=1`)).events).toEqual(all.slice(-2, -1));
  expect((await page('before=other:2')).reset).toMatchObject({ reason: 'epoch', head });
  for (const query of ['before=2&after=1', 'before=2&wait=1', 'before=x', 'before=-1']) {
    expect(refusal(await api.get(`/api/events?${query}`))).toBe('400 invalid_query');
  }
});
