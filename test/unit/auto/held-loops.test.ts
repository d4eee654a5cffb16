/** Loops that wait for a budget or for what is kept for people start again, at a distance. */
import { expect, it } from 'vitest';
import type { BudgetHold } from '../../../server/budgets/budgeted-work.ts';
import { noLoopView } from '../../../server/auto/loop-view.ts';
import { HeldLoops } from '../../../server/auto/held-loops.ts';
import { QuotaGate } from '../../../server/supervision/quota-gate.ts';
import type { Loop } from '../../../shared/schema/model.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

const MINUTE_MS = 60_000;

function rig(names: string[], reason: 'budget' | 'reserve' = 'reserve') {
  const clock = new ManualClock();
  const started: string[] = [];
  const list: Loop[] = names.map((name, index) => ({
    ...noLoopView(name),
    status: 'failed',
    status_since: `2026-01-01T00:00:0${index}Z`,
    stop_reason: reason,
    max_iterations: 10,
    iteration: 4,
    started_by: 'Ada',
  }));
  const world = {
    clock,
    started,
    list,
    hold: null as BudgetHold | null,
    changed: () => {},
    fails: '',
  };
  const loops = new HeldLoops({
    clock,
    logger: { warn: () => undefined } as never,
    quota: new QuotaGate(clock),
    budgets: {
      onChange: (changed: () => void) => (world.changed = changed),
      check: () => world.hold,
    } as never,
    sessions: { has: () => false } as never,
    loops: {
      list: () => list,
      restart: async (name, changes, author) => {
        if (name === world.fails) throw new Error('keys taken');
        started.push(`${name} ${changes.maxIterations} ${author}`);
        const loop = list.find((each) => each.session_name === name);
        if (loop) Object.assign(loop, { status: 'running', stop_reason: null });
        return Promise.resolve();
      },
    },
  });
  const settle = async (ms: number) => {
    clock.advance(ms);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { ...world, world, loops, settle };
}

it('FP10 they start at the time the hold ends, the oldest first and alone, with what is left', async () => {
  const { world, started, list, loops, settle, clock } = rig(['a', 'b', 'c']);
  const untilMs = clock.now() + 10 * MINUTE_MS;
  world.hold = { reason: 'reserve', kind: 'spent', text: 'kept', untilMs };
  loops.check();
  await settle(9 * MINUTE_MS);
  expect(started).toEqual([]);
  world.hold = null;
  await settle(MINUTE_MS);
  expect(started).toEqual(['a 6 Ada']);
  await settle(30_000);
  expect(started).toHaveLength(1);
  // A minute at work shows that the window is open.
  await settle(30_000);
  expect(started).toHaveLength(2);
  await settle(5_000);
  await settle(5_000);
  expect(started.map((each) => each[0])).toEqual(['a', 'b', 'c']);
  expect(list.every(({ status }) => status === 'running')).toBe(true);
  loops.dispose();
  expect(clock.pending).toBe(0);
});

it('FP10 the others wait when the first runs into the limit again, or could not start', async () => {
  const { world, started, list, loops, settle } = rig(['a', 'b']);
  world.fails = 'a';
  world.changed();
  await settle(0);
  world.fails = '';
  await settle(MINUTE_MS);
  expect(started).toEqual(['a 6 Ada']);
  const [first] = list;
  if (first) first.status = 'quota_wait';
  await settle(MINUTE_MS);
  await settle(5_000);
  expect(started).toHaveLength(1);
  await settle(MINUTE_MS);
  expect(started).toHaveLength(2);
  loops.dispose();
});

it('BG9 those that wait for a budget start one by one once it allows it, and try no limit', async () => {
  const { world, started, list, loops, settle, clock } = rig(['a', 'b'], 'budget');
  world.hold = { reason: 'budget', kind: 'shared', text: 'others', untilMs: null };
  loops.check();
  await settle(24 * 60 * MINUTE_MS);
  expect([started, clock.pending]).toEqual([[], 0]);
  world.hold = null;
  world.changed();
  await settle(0);
  expect(started).toEqual(['a 6 Ada']);
  // The first one is at work: the rest is its own until it is done.
  world.hold = { reason: 'budget', kind: 'shared', text: 'others', untilMs: null };
  await settle(10 * MINUTE_MS);
  expect(started).toHaveLength(1);
  const [first] = list;
  if (first) first.status = 'quota_wait';
  world.hold = null;
  world.changed();
  await settle(0);
  expect(started).toHaveLength(2);
  loops.dispose();
  expect(clock.pending).toBe(0);
});
