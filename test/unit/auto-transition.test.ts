/** The rules of the auto loop, step by step under a clock that the test moves. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AutoSignal } from '../../shared/auto-signal.ts';
import type { LoopInput, LoopPolicy, LoopState } from '../../server/auto/loop-state.ts';
import { nextDeadline, transition } from '../../server/auto/transition.ts';

const POLICY: LoopPolicy = {
  idleConfirmMs: 5_000,
  stopGraceMs: 120_000,
  killGraceMs: 30_000,
  restartDelaysMs: [5_000, 30_000, 120_000],
};
const START_WALL = Date.parse('2026-01-01T00:00:00Z');
const AGENT = { pid: 42, startedAt: '1' };

const FRESH: LoopState = {
  sessionName: 'web',
  runId: 'run',
  agent: 'claude',
  taskDir: '/tasks/web',
  dirIdentity: '1:2',
  status: 'starting',
  maxIterations: 20,
  timeoutMinutes: 30,
  startedAt: '2026-01-01T00:00:00.000Z',
  iteration: 0,
  iterationBase: 0,
  restartIteration: 0,
  countUnknown: false,
  lastSignal: null,
  lastSignalAt: null,
  signalMark: '',
  launchCount: 1,
  restartCount: 0,
  agentProcess: null,
  stop: null,
  wait: null,
  ageMs: 0,
  dueMs: null,
  quotaWaitTotalMs: 0,
  idleSinceMs: null,
  error: null,
  recoveryCountStep: 0,
  recoveryCountTotal: 0,
};

type Happening = LoopInput extends infer Input
  ? Input extends LoopInput
    ? Omit<Input, 'ageMs' | 'wallMs'>
    : never
  : never;

/** One loop through its life: what happened to it, what it said and did. */
class Life {
  state: LoopState | null;
  ageMs = 0;
  said: string[] = [];
  done: string[] = [];

  constructor(change: Partial<LoopState> = {}) {
    this.state = { ...FRESH, ...change };
  }

  static running(change: Partial<LoopState> = {}): Life {
    return new Life({ status: 'running', agentProcess: AGENT, ...change });
  }

  meet(happening: Happening, afterMs = 0): this {
    this.ageMs += afterMs;
    if (this.state === null) throw new Error('the loop has ended');
    const input: LoopInput = { ...happening, ageMs: this.ageMs, wallMs: START_WALL + this.ageMs };
    const { state, events, effects } = transition(this.state, input, POLICY);
    this.state = state;
    for (const { type, data } of events) {
      const word = 'step' in data ? data.step : 'reason' in data ? data.reason : '';
      this.said.push(`${type.replace('auto.', '')} ${word}`.trim());
    }
    this.done.push(...effects.map((effect) => effect.kind));
    return this;
  }

  signal(change: Partial<AutoSignal>, afterMs = 0): this {
    const signal: AutoSignal = {
      step: 'check',
      result: 'PASS',
      next: 'exec',
      checkpoint: '',
      timestamp: '2026-01-01T00:00:00Z',
      ...change,
    };
    return this.meet({ kind: 'signal', signal, suspicious: false, mark: 'm' }, afterMs);
  }

  look(agent: 'working' | 'idle' | 'gone', afterMs = 0, taskStatus: string | null = null): this {
    return this.meet({ kind: 'look', agent, taskDir: 'same', taskStatus }, afterMs);
  }

  tick(afterMs: number): this {
    return this.meet({ kind: 'tick' }, afterMs);
  }

  stop(): this {
    return this.meet({ kind: 'stop', reason: 'user_stop', by: 'person' });
  }
}

describe('iterations', () => {
  it('LP5 asks to stop at the limit and not one step before', () => {
    const life = Life.running({ maxIterations: 3 }).signal({ iteration: 2 });
    expect(life.said).toEqual(['signal check']);
    life.signal({ iteration: 3 });
    expect(life.said.slice(1)).toEqual(['signal check', 'stop_requested max_iterations']);
    expect(life.done).toEqual(['write_stop_file']);
  });

  it('LP5 lets the report follow a merge that reaches the limit', () => {
    const life = Life.running({ maxIterations: 3 });
    life.signal({ step: 'merge', result: 'success', next: 'report', iteration: 3 });
    expect(life.state?.status).toBe('running');
  });

  it('LP5 never counts backwards', () => {
    const life = Life.running().signal({ iteration: 5 }).signal({ iteration: 2 });
    expect(life.state?.iteration).toBe(5);
  });

  it('LP5 leaves the count alone when a signal names no iteration', () => {
    const life = Life.running({ iteration: 4 }).signal({ iteration: undefined });
    expect(life.state).toMatchObject({ iteration: 4, lastSignal: { step: 'check' } });
  });

  it.each([
    ['from the start', 1, 8],
    ['on from where it was', 8, 8],
  ])('LP5 goes on counting when a restarted agent counts %s', (_, reported, expected) => {
    const life = Life.running({ iteration: 7, launchCount: 1 });
    life.look('gone').tick(5_000).meet({ kind: 'agent_seen', process: AGENT });
    expect(life.signal({ iteration: reported }).state?.iteration).toBe(expected);
  });
});

describe('time limit', () => {
  it('LP6 stops at the limit by the timer alone', () => {
    const life = Life.running({ timeoutMinutes: 1 });
    expect(life.state && nextDeadline(life.state, POLICY)).toBe(60_000);
    expect(life.tick(59_999).said).toEqual([]);
    expect(life.tick(1).said).toEqual(['stop_requested timeout']);
  });

  it('LP6 does not count quota waits', () => {
    const life = Life.running({ timeoutMinutes: 1, quotaWaitTotalMs: 600_000 });
    expect(life.tick(659_999).said).toEqual([]);
    expect(life.tick(1).said).toEqual(['stop_requested timeout']);
  });

  it('LP6 also ends an agent that announced its end and goes on', () => {
    const life = Life.running({ timeoutMinutes: 1 });
    life.signal({ step: 'report', result: '(generated)', next: '(stop)' });
    expect(life.tick(60_000).said.at(-1)).toBe('stop_requested timeout');
  });

  it('LP6 applies a lowered limit at once', () => {
    const life = Life.running().tick(120_000);
    life.meet({ kind: 'limits', timeoutMinutes: 2 });
    expect(life.said).toEqual(['limits_changed', 'stop_requested timeout']);
  });
});

describe('stop', () => {
  it('LP7 goes from file to interrupt to kill, each once and told', () => {
    const life = Life.running().stop().tick(119_999).tick(1).tick(29_999).tick(1).tick(30_000);
    expect(life.said).toEqual([
      'stop_requested user_stop',
      'stop_escalated interrupt',
      'stop_escalated kill',
    ]);
    expect(life.done).toEqual(['write_stop_file', 'interrupt', 'kill', 'kill']);
  });

  it('LP7 answers a second stop with nothing', () => {
    expect(Life.running().stop().stop().said).toEqual(['stop_requested user_stop']);
  });

  it('LP7 keeps the first reason', () => {
    const life = Life.running({ timeoutMinutes: 1 }).tick(60_000).stop().look('gone');
    expect(life.said).toEqual(['stop_requested timeout', 'ended timeout']);
  });

  it('LP7 ends a loop that waits for its restart at once', () => {
    const life = Life.running().look('gone').stop();
    expect(life.said.slice(1)).toEqual(['stop_requested user_stop', 'ended user_stop']);
    expect(life.done).toEqual([]);
  });

  it('LP7 ends a start that was stopped before its agent came', () => {
    const life = new Life().stop();
    life.meet({ kind: 'launch_failed', reason: 'agent_not_started', error: 'stopped' });
    expect(life.said.at(-1)).toBe('ended user_stop');
  });
});

describe('end', () => {
  it.each([
    [{ step: 'report', result: '(generated)', next: '(stop)' }, 'completed'],
    [{ step: 'check', result: 'BLOCKED', next: '(stop)' }, 'blocked'],
    [{ step: 'exec', result: '(blocked)', next: '(stop)' }, 'blocked'],
    [{ step: 'merge', result: 'conflict', next: '(stop)' }, 'conflict'],
  ] as const)('LP8 %o ends as %s once the agent is gone', (signal, reason) => {
    const life = Life.running().signal(signal);
    expect(life.state?.status).toBe('stopping');
    expect(life.look('gone').said.at(-1)).toBe(`ended ${reason}`);
  });

  it('LP8 wants the agent idle without a break for the confirmation time', () => {
    const life = Life.running().signal({ step: 'report', result: '(generated)', next: '(stop)' });
    life.look('idle').look('working', 4_000).look('idle', 1_000).look('idle', 4_999);
    expect(life.state).not.toBeNull();
    expect(life.look('idle', 1).said.at(-1)).toBe('ended completed');
  });

  it('LP8 goes on when the agent works on after its (stop)', () => {
    const life = Life.running().signal({ step: 'report', result: '(generated)', next: '(stop)' });
    expect(life.signal({}).state?.status).toBe('running');
  });

  it('LP8 does not take an idle agent for the end of a loop', () => {
    expect(Life.running().look('idle').look('idle', 60_000).said).toEqual([]);
  });

  it('LP11 ends as user_closed when the terminal is closed', () => {
    const life = Life.running().meet({ kind: 'terminal_gone', how: 'closed' });
    expect(life.said).toEqual(['ended user_closed']);
  });

  it.each(['gone', 'replaced'] as const)('LP13 stops when the directory is %s', (taskDir) => {
    const life = Life.running();
    life.meet({ kind: 'look', agent: 'working', taskDir, taskStatus: null });
    expect(life.said).toEqual(['stop_requested dir_gone']);
    expect(life.done).toEqual([]);
  });
});

describe('crash', () => {
  it('LP9 restarts three times with growing pauses, then fails', () => {
    const life = Life.running();
    for (const pause of POLICY.restartDelaysMs) {
      life.look('gone').tick(pause - 1);
      expect(life.state?.status).toBe('restart_wait');
      life.tick(1).meet({ kind: 'agent_seen', process: AGENT });
    }
    life.look('gone');
    expect(life.state?.status).toBe('failed');
    expect(life.said).toEqual([
      ...['restart_scheduled crashed', 'restarted'],
      ...['restart_scheduled crashed', 'restarted'],
      ...['restart_scheduled crashed', 'restarted'],
      'failed restart_limit',
    ]);
    expect(life.done).toEqual(['launch', 'launch', 'launch']);
  });

  it('LP9 counts a restart that does not come up', () => {
    const life = Life.running().look('gone').tick(5_000);
    life.meet({ kind: 'launch_failed', reason: 'agent_not_started', error: 'nothing came' });
    expect(life.state).toMatchObject({ status: 'restart_wait', restartCount: 2 });
  });

  it.each([
    ['complete', 'completed'],
    ['blocked', 'blocked'],
    ['cancelled', 'cancelled'],
  ])('LP9 believes a task that says it is %s', (taskStatus, reason) => {
    expect(Life.running().look('gone', 0, taskStatus).said).toEqual([`ended ${reason}`]);
  });

  it('LP10 forgives restarts after progress beyond the last one', () => {
    const life = Life.running({ iteration: 3 }).look('gone').tick(5_000);
    life.meet({ kind: 'agent_seen', process: AGENT }).signal({ iteration: 1 });
    expect(life.state).toMatchObject({ iteration: 4, restartCount: 0 });
  });

  it('SE6 restarts after a lost terminal', () => {
    const life = Life.running().meet({ kind: 'terminal_gone', how: 'lost' });
    expect(life.said).toEqual(['restart_scheduled terminal_lost']);
  });

  it('LP12 keeps a failed loop until it is removed', () => {
    const life = Life.running({ restartCount: 3 }).look('gone').look('gone').tick(1e9);
    expect(life.state?.status).toBe('failed');
    expect(life.meet({ kind: 'remove' }).said.at(-1)).toBe('ended restart_limit');
  });
});

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
          loop.meet(what, afterMs);
          // The count never goes back, and the clock of a loop never does.
          expect(loop.state?.iteration ?? iteration).toBeGreaterThanOrEqual(iteration);
          iteration = loop.state?.iteration ?? iteration;
          // What waits can say why, and what is due is due in the future or now.
          const status = loop.state?.status;
          if (status === 'stopping' || status === 'restart_wait') {
            expect(loop.state?.wait).not.toBeNull();
          }
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
