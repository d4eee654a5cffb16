/** The counts behind the charts: the daemon's, updated by events, each counted once. */
import { expect, it } from 'vitest';
import { countEvents } from '../../../server/events/event-counts.ts';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import { EventHome } from '../../support/events/event-home.ts';
import {
  ACTIVITY_TYPES,
  addEvents,
  countsOf,
  advance,
  toActivity,
} from '../../../web/lib/history/activity.ts';

const MINUTE_MS = 60_000;
const RAISED = 'attention.raised';
const DRAFT = {
  type: RAISED,
  session: 'web',
  data: { id: 'a', reason: 'question', title: 't', answerable: false },
} as const;
const WISH = { seconds: 300, bucket: 60, filter: { types: ACTIVITY_TYPES, sessions: null } };

/** A log whose clock is at the beginning of a minute. */
function openLog(home: EventHome) {
  const { log } = home.open();
  home.clock.advance(MINUTE_MS - (home.clock.now() % MINUTE_MS));
  const raise = (times: number) => log.write((append) => Array(times).fill(DRAFT).forEach(append));
  const read = (after: number) =>
    log.read(after, 1000).map(({ json }) => JSON.parse(json) as EventRecord);
  return { log, raise, read };
}

it('HP5 counts updated from events equal what the daemon counts later', async () => {
  using home = new EventHome();
  const { log, raise, read } = openLog(home);
  raise(2);
  home.clock.advance(2 * MINUTE_MS);
  raise(1);
  const first = toActivity(await countEvents(log, home.clock, WISH), 5);
  expect(countsOf(first, RAISED)).toEqual([0, 0, 2, 0, 1]);
  raise(3);
  home.clock.advance(2 * MINUTE_MS);
  raise(1);
  const later = toActivity(await countEvents(log, home.clock, WISH), 5);
  expect(addEvents(first, read(first.head))).toEqual(later);
  expect(countsOf(later, RAISED)).toEqual([2, 0, 4, 0, 1]);
  // Repeated, as after a read that overlapped: nothing changes.
  expect(addEvents(later, read(0))).toEqual(later);
});

it('HP5 the buckets move forward with time, and never back', async () => {
  using home = new EventHome();
  const { log, raise } = openLog(home);
  raise(2);
  const activity = toActivity(await countEvents(log, home.clock, WISH), 5);
  const now = home.clock.now();
  expect(countsOf(advance(activity, now + 2 * MINUTE_MS), RAISED)).toEqual([0, 0, 2, 0, 0]);
  expect(advance(activity, now + 2 * MINUTE_MS).fromMs).toBe(activity.fromMs + 2 * MINUTE_MS);
  expect(countsOf(advance(activity, now + 600 * MINUTE_MS), RAISED)).toEqual([0, 0, 0, 0, 0]);
  expect(advance(activity, now - 9 * MINUTE_MS)).toBe(activity);
  expect(countsOf(activity, 'auto.failed')).toEqual([0, 0, 0, 0, 0]);
});
