/** What every auto loop promises, whatever happens to it in whatever order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGENT, type Happening, Life } from '../support/loop-life.ts';

describe('any life', () => {
  const happening: fc.Arbitrary<Happening> = fc.oneof(
    fc.constant<Happening>({ kind: 'tick' }),
    fc.constant<Happening>({ kind: 'agent_seen', process: AGENT }),
    fc.constant<Happening>({ kind: 'launch_failed', reason: 'agent_not_started', error: 'e' }),
    fc.constant<Happening>({ kind: 'stop', reason: 'user_stop', by: 'person' }),
    fc.record({
      kind: fc.constant('limits' as const),
      maxIterations: fc.integer({ min: 1, max: 9 }),
    }),
    fc.record({
      kind: fc.constant('look' as const),
      agent: fc.constantFrom('working' as const, 'idle' as const, 'gone' as const),
      taskDir: fc.constantFrom('same' as const, 'gone' as const),
      taskStatus: fc.constantFrom(null, 'executing', 'complete'),
    }),
    fc.constantFrom<Happening>(
      { kind: 'terminal_gone', how: 'lost' },
      { kind: 'terminal_gone', how: 'closed' },
    ),
    fc
      .record({
        iteration: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
        next: fc.constantFrom('exec' as const, '(stop)' as const),
      })
      .map(({ iteration, next }): Happening => {
        const signal = { step: 'check', result: 'PASS', checkpoint: '' } as const;
        const timestamp = '2026-01-01T00:00:00Z';
        const full = { ...signal, next, iteration, timestamp };
        return { kind: 'signal', signal: full, suspicious: true, mark: 'm' };
      }),
  );
  const life = fc.array(fc.tuple(happening, fc.integer({ min: 0, max: 200_000 })), {
    maxLength: 60,
  });
  const numRuns = process.env['LOOPWATCH_TEST_LONG'] === '1' ? 100_000 : 1_000;

  it('LP5, LP7, LP9, LP14 holds what a loop promises', () => {
    fc.assert(
      fc.property(life, (steps) => {
        const loop = new Life();
        let iteration = 0;
        for (const [what, afterMs] of steps) {
          if (loop.state === null) break;
          const { state } = loop.meet(what, afterMs);
          if (state === null) break;
          // The count never goes back, and what waits can say why.
          expect(state.iteration).toBeGreaterThanOrEqual(iteration);
          iteration = state.iteration;
          const waits = state.status === 'stopping' || state.status === 'restart_wait';
          expect(state.wait !== null).toBe(waits);
        }
        const stopAt = loop.said.findIndex((word) => word.startsWith('stop_requested'));
        const after = stopAt === -1 ? [] : loop.said.slice(stopAt);
        expect(after.filter((word) => word.startsWith('restart'))).toEqual([]);
        expect(loop.said.filter((word) => word.startsWith('ended')).length).toBeLessThanOrEqual(1);
        expect(loop.state === null).toBe(loop.said.at(-1)?.startsWith('ended') ?? false);
      }),
      { numRuns },
    );
  });
});
