/** One auto loop under a clock that the test moves: its inputs, events and effects. */
import type { BudgetHold } from '../../../server/budgets/budgeted-work.ts';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import type { AutoSignal } from '../../../shared/schema/loops/auto-signal.ts';
import { freshLoop } from '../../../server/auto/machine/fresh-loop.ts';
import type { UnstampedInput, LoopInput } from '../../../server/auto/machine/loop-input.ts';
import {
  type LoopEffect,
  type LoopFacts,
  type LoopPolicy,
  type LoopState,
  NOTHING,
  type Now,
  UNANSWERED,
} from '../../../server/auto/machine/loop-state.ts';
import { transition } from '../../../server/auto/machine/transition.ts';

export const POLICY: LoopPolicy = {
  idleConfirmMs: 5_000,
  stopGraceMs: 120_000,
  killGraceMs: 30_000,
  restartDelaysMs: [5_000, 30_000, 120_000],
  heartbeatMs: 60_000,
  stopCheck: 'off',
  noProgressSignals: 0,
  stallCaptures: 3,
  quotaDelaysMs: [180_000, 300_000, 900_000],
  errorDelaysMs: [30_000, 60_000, 120_000],
};
export const START_WALL = Date.parse('2026-01-01T00:00:00Z');
export const AGENT = { pid: 42, startedAt: '1' };

/** An observation of an agent that only shows that it runs. */
export const SEEN = {
  kind: 'observed',
  agent: 'working',
  taskDir: 'same',
  taskStatus: null,
  known: null,
  wait: null,
  witnesses: [
    { witness: 'process', at: '2026-01-01T00:00:00.000Z', lines: ['process 42 runs'] },
    { witness: 'terminal', at: '2026-01-01T00:00:00.000Z', lines: ['in front'] },
  ],
  lastRows: [],
  mayTry: true,
} satisfies UnstampedInput;

export const RUNNING: Now = { ...NOTHING, status: 'running' };

const WAIT = { since: '2026-01-01T00:00:00.000Z', until: null, evidence: [] };
const STOP = { by: 'daemon', author: '', requestedAt: WAIT.since, step: 'asked' } as const;

/** One example of each state that a loop can be stopped in. */
export const STATES = {
  starting: { ...NOTHING, status: 'starting' },
  running: RUNNING,
  stopping: {
    ...NOTHING,
    status: 'stopping',
    dueMs: 2_000,
    stop: { ...STOP, reason: 'stall_limit', evidence: [] },
    wait: { ...WAIT, reason: 'stall_limit' },
  },
  quota_wait: {
    ...NOTHING,
    status: 'quota_wait',
    quota: { ...UNANSWERED, sinceMs: 0, untilMs: null },
    dueMs: 900_000,
    wait: { ...WAIT, reason: 'quota' },
  },
  restart_wait: {
    ...NOTHING,
    status: 'restart_wait',
    dueMs: 1_000,
    wait: { ...WAIT, reason: 'crashed' },
  },
} satisfies Record<string, Now>;

const FRESH = {
  sessionName: 'web',
  runId: 'run',
  taskDir: '/tasks/web',
  dirIdentity: '1:2',
  startedAt: '2026-01-01T00:00:00.000Z',
};

/** One loop through its life: its inputs, events and effects. */
export class Life {
  state: LoopState | null;
  ageMs = 0;
  /** How far the wall clock is ahead of the loop's own. */
  wallOffsetMs = 0;
  said: string[] = [];
  done: string[] = [];
  /** The effects of the last input. */
  lastEffects: LoopEffect[] = [];
  /** The events of the last input. */
  lastEvents: EventDraft[] = [];
  policy = POLICY;

  budget: BudgetHold | null = null;

  constructor(change: Partial<LoopFacts> = {}, now?: Now) {
    this.state = freshLoop({ ...FRESH, ...change }, now);
  }

  static running(change: Partial<LoopFacts> = {}): Life {
    return new Life({ agentProcess: AGENT, ...change }, RUNNING);
  }

  meet(input: UnstampedInput, afterMs = 0): this {
    this.ageMs += afterMs;
    if (this.state === null) throw new Error('the loop has ended');
    const wallMs = START_WALL + this.ageMs + this.wallOffsetMs;
    const stamped: LoopInput = { ...input, ageMs: this.ageMs, wallMs, budget: this.budget };
    const { state, events, effects } = transition(this.state, stamped, this.policy);
    this.state = state;
    for (const { type, data } of events) {
      const word =
        'step' in data
          ? data.step
          : 'reason' in data
            ? data.reason
            : 'failure' in data
              ? data.failure
              : type === 'auto.recovery_tried'
                ? data.cause
                : '';
      this.said.push(`${type.replace('auto.', '')} ${word}`.trim());
    }
    this.lastEffects = effects;
    this.lastEvents = events;
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

  observe(agent: 'working' | 'idle' | 'gone', afterMs = 0, taskStatus: string | null = null): this {
    return this.meet({ ...SEEN, agent, taskStatus }, afterMs);
  }

  tick(afterMs: number): this {
    return this.meet({ kind: 'tick' }, afterMs);
  }

  stop(): this {
    return this.meet({ kind: 'stop', reason: 'user_stop', by: 'person' });
  }
}
