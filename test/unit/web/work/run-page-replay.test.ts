/** A run replayed from its events: the same at a position however one comes there. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RunEvent } from '../../../../shared/words/events/describe-run-event.ts';
import { replay, replayDelayMs, replayMarks } from '../../../../web/lib/runs/replay/replay.ts';
import { runEvent, said } from '../../../support/runs/example-run.ts';

const status = (seq: number, now: 'running' | 'waiting', seconds: number): RunEvent =>
  runEvent(
    seq,
    'run.status',
    {
      status: now,
      before: 'queued',
      phase: 'plan',
      until: null,
      error: null,
      reason: now === 'waiting' ? 'plan_review' : null,
      author: undefined,
    },
    seconds,
  );
const phase = (seq: number, name: 'plan' | 'execute' | 'review' | 'fix', iteration = 0): RunEvent =>
  runEvent(seq, 'run.phase', { phase: name, before: null, iteration });
const author = undefined;
const checked = (seq: number, state: 'pending' | 'failed'): RunEvent =>
  runEvent(seq, 'run.check', {
    id: 1,
    iteration: 0,
    type: 'regression',
    name: 'npm test',
    status: state,
    exit_code: null,
    duration_ms: null,
    commit: null,
  });

const LIFE: readonly RunEvent[] = [
  runEvent(1, 'run.created', { title: 'Greet.', working_dir: '/a', branch: 'b', author }, 0),
  status(2, 'running', 1),
  phase(3, 'plan'),
  said(4, 'plan', 0, { cost_usd: 0.25, output_tokens: 9 }),
  runEvent(5, 'run.plan', { action: 'written', hash: 'h', author }),
  status(6, 'waiting', 6),
  runEvent(7, 'run.plan', { action: 'accepted', hash: 'h', author }, 3606),
  status(8, 'running', 3606),
  runEvent(9, 'run.phase', { phase: 'execute', before: 'plan', iteration: 0 }, 3607),
  runEvent(10, 'run.phase', { phase: 'review', before: 'execute', iteration: 0 }, 3610),
  checked(11, 'pending'),
  checked(12, 'failed'),
  runEvent(13, 'run.phase', { phase: 'fix', before: 'review', iteration: 1 }, 3612),
  runEvent(
    14,
    'run.done',
    {
      status: 'failed',
      reason: 'stuck',
      proof: 'refuted',
      iteration: 1,
      active_seconds: 11,
      cost_usd: 0.25,
      commit: null,
    },
    3615,
  ),
];

it('RX15 at each position the replay shows the run as its events say', () => {
  expect(replay(LIFE, 0)).toMatchObject({ event: null, status: 'queued', entries: [] });
  expect(replay(LIFE, 4)).toMatchObject({ status: 'running', phase: 'plan', plan: null });
  expect(replay(LIFE, 6)).toMatchObject({
    status: 'waiting',
    reason: 'plan_review',
    plan: 'written',
  });
  expect(replay(LIFE, 11).checks).toMatchObject([{ name: 'npm test', status: 'pending' }]);
  expect(replay(LIFE, 12).checks).toMatchObject([{ name: 'npm test', status: 'failed' }]);
  expect(replay(LIFE, 13)).toMatchObject({ phase: 'fix', iteration: 1 });
  expect(replay(LIFE, 99)).toMatchObject({ status: 'failed', reason: 'stuck', plan: 'accepted' });
});

it('RX15 waits do not count as work, and cost is counted by phase', () => {
  const { plan, execute } = replay(LIFE, LIFE.length).amounts;
  // From second 1 to 6, and one second after the hour of waiting.
  expect(plan).toEqual({ seconds: 6, cost_usd: 0.25 });
  expect(execute?.seconds).toBe(3);
});

it('RX15 an entry that is delivered or reported twice is shown once, with its last usage', () => {
  const events = [
    said(1, 'plan', 0),
    said(2, 'plan', 1),
    said(3, 'plan', 0, { output_tokens: 5, cost_usd: 0.1 }),
    said(4, 'plan', 0, { output_tokens: 5, cost_usd: 0.1 }),
    said(5, 'execute', 0),
  ];
  const { entries, amounts } = replay(events, events.length);
  expect(entries.map(({ content }) => content)).toEqual(['plan 0', 'plan 1', 'execute 0']);
  expect(entries[0]?.output_tokens).toBe(5);
  expect(amounts.plan?.cost_usd).toBeCloseTo(0.1);
});

it('RX15 one may jump to each phase and to a failed end', () => {
  expect(replayMarks(LIFE).map(({ position, label }) => [position, label])).toEqual([
    [3, 'Plan'],
    [9, 'Execute'],
    [10, 'Review'],
    [13, 'Fix 1'],
    [14, 'End'],
  ]);
});

it('RX15 a position is the same after any other one, and a step adds one event', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: LIFE.length }),
      fc.integer({ min: 0, max: 20 }),
      (a, b) => {
        const alone = replay(LIFE, a);
        replay(LIFE, b);
        expect(replay(LIFE, a)).toEqual(alone);
        expect(alone.event).toBe(LIFE[a - 1] ?? null);
      },
    ),
  );
});

it('RX15 speed divides the time between events, and no wait lasts longer than two seconds', () => {
  expect(replayDelayMs(LIFE, 1, 1)).toBe(1000);
  expect(replayDelayMs(LIFE, 1, 4)).toBe(250);
  expect(replayDelayMs(LIFE, 6, 64)).toBe(2000);
  expect(replayDelayMs(LIFE, 7, 1)).toBe(40);
});
