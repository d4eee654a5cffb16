/** Whose turn it is when many loops wait for one quota. */
import { expect, it } from 'vitest';
import type { QuotaEnd } from '../../shared/auto-events.ts';
import type { EventDraft } from '../../shared/events.ts';
import type { LoopEffect, Transition } from '../../server/auto/machine/loop-state.ts';
import { QuotaTurns } from '../../server/agents/quota-turns.ts';
import { ResumeTurns } from '../../server/auto/resume-turns.ts';
import { Life } from '../support/loop-life.ts';
import { ManualClock } from '../support/manual-clock.ts';

const HOUR = 3_600_000;
const WAIT = { sinceMs: 0, untilMs: null, nudges: 1, nudgedAtMs: 0, workingSinceMs: null };

/** A loop that waits for quota, and what just happened to it. */
function waiting(events: EventDraft[], effects: LoopEffect[]): Transition {
  const { state } = new Life({ status: 'quota_wait', quota: WAIT });
  return { state, events, effects };
}

const NUDGE = waiting([], [{ kind: 'type', cause: 'quota', answer: 'continue', asking: [] }]);

function over(how: QuotaEnd): Transition {
  const data = { how, waited_seconds: 1, nudges: 1 };
  return { state: Life.running().state, events: [{ type: 'auto.quota_left', data }], effects: [] };
}

it('LP24 lets one go first and alone, and the others follow at a distance', () => {
  const clock = new ManualClock();
  const turns = new ResumeTurns(new QuotaTurns(clock));
  expect(turns.isTurnOf('a')).toBe(true);
  turns.follow('a', NUDGE);
  clock.advance(HOUR);
  expect(turns.isTurnOf('b')).toBe(false);
  turns.follow('a', over('nudged'));
  expect(turns.isTurnOf('b')).toBe(true);
  turns.follow('b', NUDGE);
  expect(turns.isTurnOf('c')).toBe(false);
  clock.advance(5_000);
  expect(turns.isTurnOf('c')).toBe(true);
});

it('LP24 keeps the others back after a first one that failed, and for one that is gone', () => {
  const clock = new ManualClock();
  const turns = new ResumeTurns(new QuotaTurns(clock));
  turns.follow('a', NUDGE);
  const failed = { cause: 'quota', failure: 'no_progress' } as const;
  const data = { ...failed, recovery_count_step: 0, recovery_count_total: 0, evidence: [] };
  turns.follow('a', waiting([{ type: 'auto.recovery_failed', data }], []));
  expect(turns.isTurnOf('b')).toBe(false);
  clock.advance(60_000);
  expect(turns.isTurnOf('b')).toBe(true);
  turns.follow('b', NUDGE);
  turns.follow('b', { state: null, events: [], effects: [] });
  clock.advance(5_000);
  expect(turns.isTurnOf('c')).toBe(true);
});
