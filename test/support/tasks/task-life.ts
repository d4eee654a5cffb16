/** A task's state machine in isolation: inputs in, everything that follows recorded. */
import type { BudgetHold } from '../../../server/budgets/budgeted-work.ts';
import { rulesOf } from '../../../server/tasks/criteria/limits.ts';
import { freshTask } from '../../../server/tasks/machine/fresh-task.ts';
import type {
  Rules,
  ParsedReply,
  TaskEffect,
  TaskFacts,
  MachineInput,
  TaskPolicy,
  TaskState,
  TaskTransition,
} from '../../../server/tasks/machine/task-state.ts';
import { transition } from '../../../server/tasks/machine/transition.ts';

const TASK_POLICY: TaskPolicy = {
  errorDelaysMs: [30_000, 60_000],
  quotaDelaysMs: [1_000],
  interrupted: 'stop',
  noProgressTurns: 0,
  context: { compactAt: 70, freshAt: 85 },
};

const CRITERIA = {
  criteria: null,
  max_iterations: 20,
  max_tokens: null,
  max_cost_usd: null,
  max_minutes: null,
  gates: [],
  test_commands: null,
};

export const NOTHING_USED = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** A reply of the agent, without a claim and with an answer to it. */
function said(more: Partial<ParsedReply> = {}): ParsedReply {
  return { text: 'some words', claim: null, reply: { kind: 'reply', text: 'go on' }, ...more };
}

export function replied(more: Partial<ParsedReply> = {}): MachineInput {
  return { kind: 'replied', said: said(more), usage: NOTHING_USED, summary: 'some words' };
}

export function failed(
  error: Extract<MachineInput, { kind: 'turn_failed' }>['error'],
  heard: 'heard' | 'not_heard' | 'unknown' = 'heard',
  until: number | null = null,
): MachineInput {
  const rest = { detail: `it is ${error}`, until, usage: NOTHING_USED };
  return { kind: 'turn_failed', error, heard, ...rest };
}

export class TaskLife {
  budget: BudgetHold | null = null;
  state: TaskState;
  readonly rules: Rules;
  wallMs = 1_000_000;
  activeMs = 0;
  /** Inputs of people that wait, oldest first. */
  readonly waiting: string[] = [];
  readonly inputs: TaskTransition['inputs'] = [];
  readonly events: TaskTransition['events'] = [];
  readonly quota: TaskTransition['quota'] = [];
  last: TaskEffect['kind'][] = [];
  readonly policy: TaskPolicy;

  constructor(more: Partial<TaskFacts & Rules> = {}, policy: Partial<TaskPolicy> = {}) {
    const { limits, noProgressTurns, hasCriteria, ...state } = { ...rulesOf(CRITERIA), ...more };
    this.rules = { limits, noProgressTurns, hasCriteria };
    this.state = { ...freshTask(), ...state };
    this.policy = { ...TASK_POLICY, ...policy };
  }

  /** One in its first turn. */
  static talking(
    more: Partial<TaskFacts & Rules> = {},
    policy: Partial<TaskPolicy> = {},
  ): TaskLife {
    const life = new TaskLife(more, policy);
    life.happen({ kind: 'begin', author: 'Ada' });
    life.happen({ kind: 'granted' });
    life.happen({ kind: 'prepared' });
    life.hear();
    return life;
  }

  happen(input: MachineInput): this {
    const after = transition(
      this.state,
      {
        ...input,
        task: 'fix-login',
        rules: this.rules,
        wallMs: this.wallMs,
        activeMs: this.activeMs,
        pendingInput: this.waiting[0] ?? null,
        budget: this.budget,
        turnId: `turn-${this.state.turns + 1}`,
      },
      this.policy,
    );
    for (const { id, state } of after.inputs) {
      if (state === 'sending') this.waiting.splice(this.waiting.indexOf(id), 1);
      if (state === 'queued') this.waiting.unshift(id);
    }
    this.state = after.state;
    this.inputs.push(...after.inputs);
    this.events.push(...after.events);
    this.quota.push(...after.quota);
    this.last = after.effects.map(({ kind }) => kind);
    return this;
  }

  hear(conversationId = 'c1'): this {
    return this.happen({ kind: 'heard', conversationId });
  }

  say(id: string, interrupt = false): this {
    this.waiting.push(id);
    return this.happen({ kind: 'input', interrupt });
  }
}
