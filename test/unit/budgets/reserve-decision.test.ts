/** What is kept of the plan's windows for people: the rule alone, and any order of dispatches. */
import { expect, it } from 'vitest';
import {
  decideReserve,
  heldUntilMs,
  limitPercent,
  type WindowNow,
} from '../../../server/reserve/decide-reserve.ts';
import { Dispatches } from '../../../server/reserve/dispatches.ts';
import { localHour } from '../../../server/reserve/local-hour.ts';
import { readReserveHours, reserveHoursText } from '../../../shared/rules/reserve-hours.ts';
import { ReservePolicy } from '../../../shared/schema/usage/reserve.ts';
import { seeded } from '../../support/house/random.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A Monday, 09:00 UTC. */
const MONDAY = Date.parse('2026-11-23T09:00:00Z');

function policy(keep: string[], line = 100, more: Partial<ReservePolicy> = {}): ReservePolicy {
  const hours = keep.map((each) => readReserveHours(each) ?? expect.fail(each));
  const both = { five_hour: line, weekly: line };
  return ReservePolicy.parse({ line: both, hours, zone: 'UTC', ...more });
}

function window(change: Partial<WindowNow> = {}): WindowNow {
  const times = { readAtMs: MONDAY, resetsAtMs: MONDAY + 4 * HOUR_MS };
  return { name: 'five_hour', usedPercent: 10, notIncluded: 0, ...times, ...change };
}

function decide(rules: ReservePolicy, one: WindowNow, { nowMs = MONDAY, others = 0 } = {}) {
  return decideReserve(rules, [one], localHour(nowMs, rules.zone), { nowMs, others })?.kind ?? null;
}

const KEPT = policy(['mon-fri 8-18 50']);

it.each([
  ['below what is kept', { usedPercent: 49 }, null],
  ['at what is kept', { usedPercent: 50 }, 'spent'],
  ['others not included, room for them', { usedPercent: 45, notIncluded: 2 }, null],
  ['others not included, no room', { usedPercent: 46, notIncluded: 2 }, 'shared'],
  ['unknown', { usedPercent: null }, null],
  ['old, and below', { readAtMs: MONDAY - HOUR_MS, notIncluded: 40 }, null],
  [
    'old, and above: it is not given back',
    { readAtMs: MONDAY - HOUR_MS, usedPercent: 60 },
    'spent',
  ],
] as const)('FP1 FP2 FP3 FP5 a dispatch while the window is %s', (_, change, kind) => {
  expect(decide(KEPT, window(change))).toBe(kind);
});

it('FP5 an unknown window follows the setting', () => {
  const unknown = window({ usedPercent: null });
  const waits = { ...KEPT, unknown: 'wait' } as const;
  expect(decide(waits, unknown)).toBe('spent');
  const slow = { ...KEPT, unknown: 'one_by_one' } as const;
  expect([decide(slow, unknown), decide(slow, unknown, { others: 1 })]).toEqual([null, 'shared']);
  // Nothing is kept on Sunday, so nothing has to be known.
  const sunday = MONDAY - 24 * HOUR_MS;
  expect(decide(waits, unknown, { nowMs: sunday })).toBeNull();
});

it('FP1 hours count in their zone, the greater share of two, and the line below all', () => {
  const rules = policy(['mon-fri 8-18 50/30', 'mon 9-10 70'], 90, { zone: 'America/New_York' });
  const at = (hour: number) => localHour(MONDAY + hour * HOUR_MS, rules.zone);
  // 04:00, 08:00, 09:00 and 18:00 in New York.
  const five = [0, 4, 5, 14].map((hour) => limitPercent(rules, 'five_hour', at(hour)));
  expect(five).toEqual([90, 50, 30, 90]);
  expect(limitPercent(rules, 'weekly', at(4))).toBe(70);
});

it('FP4 it waits until less is kept, or until the reset', () => {
  const hourAt = (atMs: number) => localHour(atMs, 'UTC');
  const until = (keep: string[], change: Partial<WindowNow>) => {
    const atMs = heldUntilMs(policy(keep, 95), window(change), MONDAY + 1, hourAt);
    return atMs === null ? null : new Date(atMs).toISOString().slice(11, 16);
  };
  expect(until(['mon-fri 8-11 50'], { usedPercent: 60 })).toBe('11:00');
  expect(until(['mon-fri 8-11 50', 'mon 11-12 45'], { usedPercent: 60 })).toBe('12:00');
  expect(until(['mon-fri 8-18 50'], { usedPercent: 60 })).toBe('13:00');
  expect(until(['mon-fri 8-11 50'], { usedPercent: 99 })).toBe('13:00');
  expect(until(['mon-fri 8-18 50'], { usedPercent: null })).toBeNull();
});

it.each([
  ['mon-fri 8-18 50/30', 'mon-fri 8-18 50/30'],
  ['Monday,Wed 0-24 20', 'mon,wed 0-24 20'],
  ['sat-mon 8-9 5.5', 'mon,sat-sun 8-9 5.5'],
  ['daily 22-24 10/10', 'daily 22-24 10'],
])('FP11 hours written as "%s"', (text, short) => {
  const hours = readReserveHours(text);
  expect(hours && reserveHoursText(hours)).toBe(short);
});

it.each([
  '',
  'mon 8-8 5',
  'mon 18-8 5',
  'mon 8-25 5',
  'xyz 8-9 5',
  'mon 8-9 101',
  'mon-tue-wed 8-9 5',
])('FP11 hours written as "%s" are refused', (text) => expect(readReserveHours(text)).toBeNull());

it('FP3 under any schedule what is kept is passed by one dispatch at most', async () => {
  await seeded((random) => {
    let begun = 0;
    for (let life = 0; life < 200; life += 1) {
      const keep = Array.from({ length: random.int(0, 5) }, () => {
        const [from, share] = [random.int(0, 22), random.int(0, 90)];
        return `${random.pick(['daily', 'mon', 'tue-wed'])} ${from}-${random.int(from + 1, 24)} ${share}`;
      });
      const rules = policy(keep, random.int(30, 100));
      const most = rules.dispatch_percent.five_hour;
      const [dispatches, slots] = [new Dispatches(), random.int(1, 8)];
      // What is really used, and what each dispatch at work will use besides.
      let [used, nowMs, resetsAtMs] = [0, MONDAY, MONDAY + 5 * HOUR_MS];
      let reading: { usedPercent: number; readAtMs: number } | null = {
        usedPercent: 0,
        readAtMs: nowMs,
      };
      const atWork = new Map<string, { left: number }>();
      for (let step = 0; step < 300; step += 1) {
        nowMs += random.int(1, 4 * MINUTE_MS);
        if (nowMs >= resetsAtMs) [used, resetsAtMs, reading] = [0, resetsAtMs + 5 * HOUR_MS, null];
        for (const [ref, dispatch] of atWork) {
          const part = random.chance(0.3) ? dispatch.left : dispatch.left * random.next();
          used += part;
          dispatch.left -= part;
          if (dispatch.left === 0) atWork.delete(ref);
        }
        dispatches.atWork([...atWork.keys()], nowMs, rules.stale_minutes * MINUTE_MS);
        if (reading === null || nowMs - reading.readAtMs > 20 * MINUTE_MS || random.chance(0.2)) {
          reading = { usedPercent: used, readAtMs: nowMs };
        }
        const ref = `task:${random.int(1, slots)}`;
        if (atWork.has(ref)) continue;
        const at = localHour(nowMs, rules.zone);
        const notIncluded = dispatches.notIncluded(ref, {
          readAtMs: reading.readAtMs,
          isOwn: false,
        });
        const one = window({ ...reading, resetsAtMs, notIncluded });
        const others = atWork.size;
        if (decideReserve(rules, [one], at, { nowMs, others }) !== null) continue;
        const expected = [...atWork.values()].reduce((sum, { left }) => sum + left, used);
        const limit = limitPercent(rules, 'five_hour', at);
        // All others fit below what is kept; only this one may pass it.
        if (limit < 100) expect(expected).toBeLessThan(limit);
        dispatches.began(ref, nowMs);
        atWork.set(ref, { left: random.next() * most });
        begun += 1;
      }
    }
    // It is not kept by doing nothing.
    expect(begun).toBeGreaterThan(10_000);
  });
});
