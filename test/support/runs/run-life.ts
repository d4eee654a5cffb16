/** A run's state machine in isolation: inputs in, everything that follows recorded. */
import type { BudgetHold } from '../../../server/budgets/budgeted-work.ts';
import { freshRun } from '../../../server/runs/machine/fresh-run.ts';
import type {
  MachineInput,
  ParsedReply,
  RunEffect,
  RunPolicy,
  RunState,
  RunTransition,
} from '../../../server/runs/machine/run-state.ts';
import { transition } from '../../../server/runs/machine/transition.ts';
import type { WorkPhase } from '../../../shared/schema/runs/run-phase.ts';
import { StartRun, type StartRunBody } from '../../../shared/schema/runs/run-requests.ts';

const RUN_POLICY: RunPolicy = {
  errorDelaysMs: [30_000, 60_000],
  quotaDelaysMs: [1_000],
  context: { compactAt: 70, freshAt: 85 },
};
const NOTHING_USED = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
/** Of each input unless a test says otherwise: one moment is never another. */
const TICK_MS = 1;

/** A reply without a question. In the plan phase it is a plan, in a review it passes. */
type Ended<Kind extends 'replied' | 'turn_failed'> = Extract<MachineInput, { kind: Kind }>;

export function replied(more: Partial<ParsedReply> = {}, usage = NOTHING_USED): Ended<'replied'> {
  const review = { verdict: 'pass', findings: '', signature: '' } as const;
  const said = { text: 'some words', plan: '- [ ] Greet', review, question: null, ...more };
  return { kind: 'replied', said, usage };
}

export function reviewed(
  verdict: ParsedReply['review']['verdict'],
  findings = 'the name is missing',
): MachineInput {
  return replied({ review: { verdict, findings, signature: `review ${findings}` } });
}

/** `signature` stands for the failure; without one the checks pass. */
export function checked(
  signature = '',
  more: Partial<Extract<MachineInput, { kind: 'checked' }>> = {},
): MachineInput {
  const outcome = signature === '' ? 'passed' : 'tests_failed';
  const found = {
    outcome,
    commit: 'c0',
    changed: true,
    changes: null,
    detail: signature,
    signature,
  } as const;
  return { kind: 'checked', ...found, ...more };
}

export function failed(
  error: Ended<'turn_failed'>['error'],
  heard: 'heard' | 'not_heard' | 'unknown' = 'heard',
  until: number | null = null,
): Ended<'turn_failed'> {
  const rest = { detail: `it is ${error}`, until, usage: NOTHING_USED };
  return { kind: 'turn_failed', error, heard, ...rest };
}

export function resumed(fromPhase: WorkPhase | null = null): MachineInput {
  const redelivered = { plan: 0, execute: 0, review: 0, fix: 0 };
  return { kind: 'resume', author: 'Ada', fromPhase, redelivered };
}

export const STOP: MachineInput = { kind: 'stop', author: 'Ada', reason: 'lunch' };

export class RunLife {
  budget: BudgetHold | null = null;
  state: RunState;
  readonly options: StartRun;
  wallMs = Date.parse('2026-01-02T03:04:05Z');
  activeMs = 0;
  /** Inputs of people that wait, oldest first. */
  readonly waiting: string[] = [];
  readonly inputs: RunTransition['inputs'] = [];
  readonly events: RunTransition['events'] = [];
  readonly quota: RunTransition['quota'] = [];
  plan: string | null = null;
  last: RunEffect['kind'][] = [];
  #turns = 0;

  constructor(options: Omit<StartRunBody, 'prompt'> = {}, state: Partial<RunState> = {}) {
    this.options = StartRun.parse({ prompt: 'Greet by name.', ...options });
    this.state = { ...freshRun(this.wallMs), ...state };
  }

  /** One whose first turn of that phase has begun. */
  static opening(phase: WorkPhase, options: Omit<StartRunBody, 'prompt'> = {}): RunLife {
    const life = new RunLife(options).begin();
    if (phase === 'plan') return life;
    life.hear().happen(replied());
    if (phase === 'execute') return life;
    return life
      .hear()
      .happen(replied())
      .happen(checked(phase === 'fix' ? 'first' : ''));
  }

  /** The same, and the agent has heard it. */
  static in(phase: WorkPhase, options: Omit<StartRunBody, 'prompt'> = {}): RunLife {
    return RunLife.opening(phase, options).hear();
  }

  happen(input: MachineInput): this {
    this.wallMs += TICK_MS;
    const after = transition(this.state, this.stamped(input), RUN_POLICY);
    for (const { id, state } of after.inputs) {
      if (state === 'sending') this.waiting.splice(this.waiting.indexOf(id), 1);
      if (state === 'queued') this.waiting.unshift(id);
    }
    if (after.effects.some(({ kind }) => kind === 'send')) this.#turns += 1;
    this.state = after.state;
    this.plan = after.plan ?? this.plan;
    this.inputs.push(...after.inputs);
    this.events.push(...after.events);
    this.quota.push(...after.quota);
    this.last = after.effects.map(({ kind }) => kind);
    return this;
  }

  /** As its shell gives it to the machine. */
  stamped(input: MachineInput): Parameters<typeof transition>[1] {
    const { options, wallMs, activeMs, waiting } = this;
    const turnId = `turn-${this.#turns + 1}`;
    const pendingInput = waiting[0] ?? null;
    const { budget } = this;
    return { ...input, run: 'r1', options, wallMs, activeMs, pendingInput, budget, turnId };
  }

  /** From the queue to what follows the preparation. */
  begin(): this {
    return this.happen({ kind: 'granted' }).happen({ kind: 'prepared' });
  }

  /** In the conversation of its phase. */
  hear(): this {
    return this.happen({ kind: 'heard', conversationId: `c-${this.state.phase}` });
  }

  say(id: string, interrupt = false): this {
    this.waiting.push(id);
    return this.happen({ kind: 'input', interrupt });
  }

  /** The message under way; null outside a turn. */
  get message() {
    const { now } = this.state;
    return now.stage === 'talking' ? now.turn.message : null;
  }

  /** `phase stage`, and the reason where there is one. */
  get place(): string {
    const { phase, now } = this.state;
    const reason = now.stage === 'waiting' ? now.reason : 'result' in now ? now.result.reason : '';
    return `${phase} ${now.stage} ${reason}`.trim();
  }

  /** The data of its events of that type. */
  of(type: RunTransition['events'][number]['type']): Record<string, unknown>[] {
    return this.events
      .filter((event) => event.type === type)
      .map(({ data }) => data as Record<string, unknown>);
  }
}

/** A failed round, and the fix that follows. */
export function fixed(life: RunLife, signature: string, changed = true): RunLife {
  life.happen(checked(signature, { changed }));
  return life.state.now.stage === 'talking' ? life.hear().happen(replied()) : life;
}
