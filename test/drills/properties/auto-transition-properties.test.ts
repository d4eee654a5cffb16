/** What every auto loop promises, for any sequence of inputs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentCause, AgentStateName } from '../../../shared/schema/agents/agent-state.ts';
import {
  type CheckOutcome,
  type LoopChecked,
  StopCheck,
} from '../../../shared/schema/loops/loop-check.ts';
import type { UnstampedInput } from '../../../server/auto/machine/loop-input.ts';
import type { LoopState } from '../../../server/auto/machine/loop-state.ts';
import type { Asking } from '../../../server/supervision/terminal/terminal-agent.ts';
import { isSameRow } from '../../../server/auto/stores/stored-loop.ts';
import { isSettled } from '../../../server/auto/machine/observing.ts';
import { quotaWaitMs } from '../../../server/auto/machine/quota-clock.ts';
import { nextDeadline } from '../../../server/auto/machine/transition.ts';
import { loopView } from '../../../server/auto/loop-view.ts';
import { AGENT, Life, POLICY, SEEN, START_WALL } from '../../support/auto/loop-life.ts';
import { sized } from '../../support/house/random.ts';

const iso = (afterMs: number) => new Date(START_WALL + afterMs).toISOString();
const age = fc.integer({ min: 0, max: 20_000_000 });

const known = fc.record({
  state: fc.constantFrom(...AgentStateName.options, 'limited' as const, 'working' as const),
  cause: fc.constantFrom(...AgentCause.options),
  detail: fc.constantFrom(null, 'words'),
  witness: fc.constantFrom('record' as const, 'screen' as const),
  since: age.map(iso),
  until: fc.option(age.map(iso), { nil: null }),
});

const signal = fc
  .record({
    iteration: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
    next: fc.constantFrom('exec' as const, '(stop)' as const),
  })
  .map(({ iteration, next }): UnstampedInput => {
    const said = { step: 'check', result: 'PASS', checkpoint: '', timestamp: iso(0) } as const;
    return { kind: 'signal', signal: { ...said, next, iteration }, suspicious: true, mark: 'm' };
  });

const observation = fc
  .record({
    agent: fc.constantFrom(
      'working' as const,
      'working' as const,
      'idle' as const,
      'gone' as const,
      'unknown' as const,
    ),
    taskDir: fc.constantFrom('same' as const, 'same' as const, 'unknown' as const, 'gone' as const),
    taskStatus: fc.constantFrom(null, 'executing', 'complete'),
    known: fc.option(known, { nil: null }),
    witnesses: fc.subarray(SEEN.witnesses),
    turn: fc.boolean(),
  })
  .map((seen): UnstampedInput => ({ ...SEEN, ...seen }));

const snapshot: fc.Arbitrary<UnstampedInput> = fc.record({
  kind: fc.constant('snapshot' as const),
  mark: fc.constantFrom('a', 'a', 'a', 'b'),
  foreign: fc.constantFrom(false, false, false, true),
  busy: fc.constantFrom(false, false, false, true),
  asking: fc.constantFrom<Asking>(
    { lines: ['Continue?'], answer: 'continue' },
    { lines: ['nothing'], failure: 'no_prompt' },
  ),
});

function checked(outcome: CheckOutcome): LoopChecked {
  return { outcome, commit: null, checks: [], detail: null };
}

const input: fc.Arbitrary<UnstampedInput> = fc.oneof(
  fc.constantFrom<UnstampedInput>(
    { kind: 'tick' },
    { kind: 'agent_seen', process: AGENT },
    { kind: 'launch_failed', reason: 'agent_not_started', error: 'e' },
    { kind: 'terminal_gone', how: 'lost' },
    { kind: 'signal_rejected', cause: 'stale', detail: '', mark: 'm' },
  ),
  fc.constantFrom<UnstampedInput>(
    { kind: 'stop', reason: 'user_stop', by: 'person' },
    { kind: 'terminal_gone', how: 'closed' },
    { kind: 'run_ended', error: null },
    { kind: 'stop_file_failed', detail: 'no stop file' },
    { kind: 'limits', maxIterations: 5 },
    { kind: 'typed', cause: 'quota', delivery: 'failed', detail: 'agent_busy' },
    { kind: 'typed', cause: 'stall', delivery: 'unknown', detail: 'no_change_seen' },
  ),
  fc.constantFrom<UnstampedInput>(
    { kind: 'stop_file_seen', says: 'unknown' },
    { kind: 'check_begun', commands: ['npm test'] },
    { kind: 'checked', result: null },
    { kind: 'checked', result: checked('passed') },
    { kind: 'checked', result: checked('failed') },
    { kind: 'typed', cause: 'check', delivery: 'delivered', detail: null },
    { kind: 'typed', cause: 'check', delivery: 'failed', detail: 'agent_busy' },
  ),
  { arbitrary: observation, weight: 6 },
  { arbitrary: snapshot, weight: 5 },
  { arbitrary: signal, weight: 2 },
);
const life = fc.array(fc.tuple(input, fc.integer({ min: 0, max: 200_000 })), {
  maxLength: 80,
});
const numRuns = sized({ short: 500, middle: 5_000, long: 100_000 });

/** The status that follows from the events alone; null where they leave it open. */
function statusFrom(said: readonly string[]): string | null {
  const words = said.map((word) => word.split(' ')[0]);
  const last = words.findLast((word) =>
    ['quota_entered', 'quota_left', 'stop_requested', 'restart_scheduled', 'failed'].includes(
      word ?? '',
    ),
  );
  if (last === 'quota_entered') return 'quota_wait';
  return last === 'failed' ? 'failed' : null;
}

function promises(before: LoopState, what: UnstampedInput, loop: Life, newWords: string[]): void {
  const { state, lastEffects } = loop;
  for (const effect of lastEffects) {
    // Two witnesses, no witness left, or an agent never seen; and a stop that got its grace period.
    if (effect.kind === 'end_run') {
      expect(before.status).toBe('stopping');
      expect(before.stop?.step).not.toBe('asked');
      const witnesses =
        what.kind === 'observed' && what.agent !== 'gone' ? what.witnesses.length : 2;
      // A kill that was ordered had them then.
      const isOrdered = before.stop?.step === 'kill';
      if (before.agentProcess !== null && !isOrdered) expect(witnesses).toBe(2);
    }
    // Nothing is typed into a stopping loop, and no second nudge before the first is judged.
    if (effect.kind === 'type') {
      expect(['running', 'quota_wait']).toContain(state?.status);
      if (effect.cause === 'quota') expect(before.quota?.nudgedAtMs).toBeNull();
    }
    // Checks run once at a time, of an end that no one else asked for.
    if (effect.kind === 'check') {
      expect(before.check).toBeNull();
      expect(state).toMatchObject({ status: 'stopping', stop: { by: 'agent' } });
    }
    // An agent starts only after a pause ends.
    if (effect.kind === 'launch') expect(before.status).toBe('restart_wait');
  }
  if (state === null) return;
  expect(state.iteration).toBeGreaterThanOrEqual(before.iteration);
  expect(state.recoveryCountStep).toBeLessThanOrEqual(3);
  expect(state.recoveryCountTotal).toBeLessThanOrEqual(10);
  expect(state.recoveryCountTotal).toBeGreaterThanOrEqual(before.recoveryCountTotal);
  expect(state.restartCount).toBeLessThanOrEqual(POLICY.restartDelaysMs.length);
  expect(state.sentBack).toBeLessThanOrEqual(3);
  if (state.check !== null) expect(state.status).toBe('stopping');
  // A waiting loop has a reason, a time and a witness.
  expect(state.quota !== null).toBe(state.status === 'quota_wait');
  if (['stopping', 'restart_wait', 'quota_wait'].includes(state.status)) {
    expect(state.wait?.evidence.length).toBeGreaterThan(0);
    const shown = loopView(state, loop.ageMs, START_WALL + loop.ageMs).wait;
    expect(shown?.reason).toEqual(expect.any(String));
    expect(Date.parse(shown?.since ?? '')).toBeLessThanOrEqual(START_WALL + loop.ageMs);
    expect(shown?.next).toMatch(/\.$/);
  }
  // Time spent never decreases, and is paused while the loop waits for quota.
  const spent = state.ageMs - quotaWaitMs(state);
  expect(spent).toBeGreaterThanOrEqual(before.ageMs - quotaWaitMs(before));
  if (before.status === 'quota_wait' && newWords.length === 0) {
    expect(spent).toBe(before.ageMs - quotaWaitMs(before));
  }
}

/** The same observation, a moment later and right before the next deadline. */
function repeated(what: UnstampedInput, { state, policy, ageMs, said }: Life): void {
  if (what.kind !== 'observed' || state === null || !isSettled(state)) return;
  const next = nextDeadline(state, policy) ?? Infinity;
  for (const laterMs of [1, Math.min(next - ageMs - 1, 86_400_000)]) {
    if (ageMs + laterMs >= next) continue;
    const again = new Life();
    again.policy = policy;
    again.state = state;
    again.ageMs = ageMs;
    again.meet(what, laterMs);
    expect({ said: again.said, done: again.done }, said.join()).toEqual({ said: [], done: [] });
    expect([isSameRow(state, again.state), isSettled(again.state)]).toEqual([true, true]);
  }
}

describe('any life', () => {
  it('LP5, LP9, LP14, LP15, LP19, LP22, LP23, LP40, LP47, LP56, LP61, LP75 a loop keeps its promises', () => {
    fc.assert(
      fc.property(life, fc.constantFrom(...StopCheck.options), (steps, stopCheck) => {
        const loop = new Life();
        loop.policy = { ...POLICY, stopCheck };
        for (const [what, afterMs] of steps) {
          const before = loop.state;
          if (before === null) break;
          const already = loop.said.length;
          loop.meet(what, afterMs);
          promises(before, what, loop, loop.said.slice(already));
          repeated(what, loop);
          const status = statusFrom(loop.said);
          if (status !== null && loop.state !== null) expect(loop.state.status).toBe(status);
          if (before.status === 'failed') expect(loop.said.length).toBe(already);
        }
        const stopAt = loop.said.findIndex((word) => word.startsWith('stop_requested'));
        const after = stopAt === -1 ? [] : loop.said.slice(stopAt);
        expect(after.filter((word) => word.startsWith('restart'))).toEqual([]);
        expect(after.filter((word) => word.startsWith('recovery_tried'))).toEqual([]);
        expect(loop.said.filter((word) => word.startsWith('ended')).length).toBeLessThanOrEqual(1);
        expect(loop.state === null).toBe(loop.said.at(-1)?.startsWith('ended') ?? false);
      }),
      { numRuns },
    );
  });
});
