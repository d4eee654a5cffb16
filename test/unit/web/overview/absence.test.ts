/** Who counts as away, what is stored of it, and what ended meanwhile. */
import { describe, expect, it } from 'vitest';
import {
  NEVER_SEEN,
  parsePresence,
  type Presence,
  seenAt,
  SHORTEST_ABSENCE_MS,
} from '../../../../web/lib/away/absence.ts';
import { endedWork } from '../../../../web/lib/away/ended-work.ts';
import { intervalOf, readChoice } from '../../../../web/lib/report/report-range.ts';
import { aUnit, completed } from '../../../support/runs/report-unit.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;

describe('an absence', () => {
  it('AW1 begins with the last sign of a person and ends with the next, after 30 minutes', () => {
    const first = seenAt(NEVER_SEEN, NOON);
    expect(first).toEqual({ seenMs: NOON, absence: null });
    const soon = seenAt(first, NOON + SHORTEST_ABSENCE_MS - 1);
    expect(soon).toEqual({ seenMs: NOON + SHORTEST_ABSENCE_MS - 1, absence: null });
    const back = NOON + SHORTEST_ABSENCE_MS;
    expect(seenAt(first, back)).toEqual({
      seenMs: back,
      absence: { sinceMs: NOON, untilMs: back },
    });
  });

  it('AW2 that was not dismissed grows with the next one, and not with a visit', () => {
    const back = seenAt({ seenMs: NOON, absence: null }, NOON + HOUR);
    const visited = seenAt(back, NOON + HOUR + 60_000);
    expect(visited.absence).toEqual(back.absence);
    expect(seenAt(visited, NOON + 3 * HOUR).absence).toEqual({
      sinceMs: NOON,
      untilMs: NOON + 3 * HOUR,
    });
  });

  it('AW4 is none while the last sign lies ahead', () => {
    const ahead: Presence = { seenMs: NOON + HOUR, absence: null };
    expect(seenAt(ahead, NOON)).toEqual({ seenMs: NOON, absence: null });
  });

  it('AW4 is stored as it is, and read only as this page writes it', () => {
    const kept: Presence = { seenMs: NOON, absence: { sinceMs: NOON - HOUR, untilMs: NOON } };
    expect(parsePresence(JSON.stringify(kept))).toEqual(kept);
    for (const stored of [null, '', '{', '[]', 'null', '7', '{"seenMs":"x"}', '{"seenMs":1e99}']) {
      expect(parsePresence(stored), String(stored)).toEqual(NEVER_SEEN);
    }
    for (const absence of [5, {}, { sinceMs: 2, untilMs: 1 }, { sinceMs: 'a', untilMs: 1 }]) {
      const stored = JSON.stringify({ seenMs: NOON, absence });
      expect(parsePresence(stored), stored).toEqual({ seenMs: NOON, absence: null });
    }
  });
});

describe('the work that ended', () => {
  const at = (hour: string) => ({ closed_at: `2026-03-01T${hour}:00:00.000Z` });

  it('AW1 is grouped by how it ended, the latest first, and only once it ended', () => {
    const units = [
      completed('old', true),
      { ...completed('new', true), ...at('11') },
      { ...completed('maybe', false), ...at('10') },
      aUnit('broke', { outcome: 'failed', state: 'ended', ...at('09') }),
      aUnit('limit', { outcome: 'exhausted', state: 'ended', ...at('10') }),
      aUnit('cut', { outcome: 'stopped', state: 'ended', ...at('08') }),
      aUnit('open', { outcome: null, closed_at: null }),
      aUnit('shell', { kind: 'session', outcome: 'stopped', ...at('08') }),
    ].map((unit) => (unit.name === 'old' ? { ...unit, ...at('07') } : unit));
    const groups = endedWork(units).map(({ label, units: of }) => [label, of.map((u) => u.name)]);
    expect(groups).toEqual([
      ['Failed', ['limit', 'broke']],
      ['Completed, verified', ['new', 'old']],
      ['Completed, unverified', ['maybe']],
      ['Stopped', ['cut']],
    ]);
  });

  it('AW1 has no group without work', () => {
    expect(endedWork([aUnit('open', { outcome: null, closed_at: null })])).toEqual([]);
  });
});

describe('the choice of the report', () => {
  const choice = (query: string) => readChoice(new URLSearchParams(query));

  it('AW3 is the interval of the address, or one of the ranges', () => {
    const [since, until] = ['2026-03-01T08:00:00.000Z', '2026-03-01T12:00:00+02:00'];
    const query = new URLSearchParams({ since, until }).toString();
    expect(choice(query)).toEqual({ since, until });
    expect(choice(`since=${since}&until=noon`)).toEqual({ since });
    expect(intervalOf({ since }, NOON)).toEqual({ since });
    expect(choice('range=days')).toEqual({ range: 'days' });
    for (const query of ['', 'range=x', 'since=yesterday', 'since=2026-99-01T08:00:00Z']) {
      expect(choice(query), query).toEqual({ range: 'night' });
    }
    expect(intervalOf({ range: 'day' }, NOON)).toEqual({ since: '2026-02-28T12:00:00.000Z' });
  });
});
