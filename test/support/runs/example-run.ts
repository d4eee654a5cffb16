/** A run and its events as the page has them; tests change the fields they need. */
import type { EventData } from '../../../shared/schema/events/events.ts';
import type { PhaseSpend, Run } from '../../../shared/schema/runs/run.ts';
import type { RunEvent } from '../../../shared/words/events/describe-run-event.ts';

export const RUN_AT = '2026-01-01T00:00:00.000Z';
const NOTHING_SPENT: PhaseSpend = {
  seconds: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost_usd: 0,
  turns: 0,
};

export function exampleRun(id: string, more: Partial<Run> = {}): Run {
  return {
    id,
    title: 'Greet by name.',
    working_dir: '/srv/shop',
    worktree_path: `/trees/${id}`,
    branch: `run/${id}`,
    status: 'running',
    stage: 'talking',
    phase: 'execute',
    iteration: 0,
    max_fix_rounds: 6,
    reason: null,
    error: null,
    wait: null,
    proof: null,
    active_seconds: 60,
    cost_usd: 0.5,
    model: null,
    context_percent: null,
    output_tokens: 1200,
    stale: false,
    valid: true,
    created_by: 'anna',
    started_at: RUN_AT,
    updated_at: RUN_AT,
    completed_at: null,
    prompt: 'Greet by name.',
    options: {
      prompt: 'Greet by name.',
      phases: {},
      use_worktree: true,
      review_plan: false,
      max_fix_rounds: 6,
      same_failure_limit: 3,
      max_minutes: 720,
      max_cost_usd: null,
      max_tokens: null,
      gates: [],
    },
    limits_from: 'request',
    base: 'main',
    spent: {
      plan: { ...NOTHING_SPENT, seconds: 20, cost_usd: 0.2 },
      execute: { ...NOTHING_SPENT, seconds: 40, cost_usd: 0.3 },
      review: NOTHING_SPENT,
      fix: NOTHING_SPENT,
    },
    conversations: { plan: 'c1', execute: 'c2', review: null, fix: null },
    process_pid: 1,
    rounds: [],
    has_plan: true,
    plan_edited: false,
    evidence: [],
    input_pending: false,
    has_report: false,
    merged_into: null,
    not_merged: null,
    actions: ['stop', 'input'],
    ...more,
  };
}

/** The event of run r1 with that number, so many seconds after `RUN_AT`. */
export function runEvent<Type extends RunEvent['type']>(
  seq: number,
  type: Type,
  data: Omit<EventData<Type>, 'run'>,
  seconds = seq,
): RunEvent {
  const at = new Date(Date.parse(RUN_AT) + seconds * 1000).toISOString();
  const subject = { kind: 'run', id: 'r1' };
  return { seq, at, type, subject, data: { run: 'r1', ...data } } as unknown as RunEvent;
}

/** A line of a conversation as its event says it. */
export function said(
  seq: number,
  phase: EventData<'run.interaction'>['phase'],
  index: number,
  more: Partial<EventData<'run.interaction'>> = {},
): RunEvent {
  return runEvent(seq, 'run.interaction', {
    phase,
    index,
    id: 100 + index,
    type: 'claude_response',
    turn: 1,
    tool: null,
    preview: `${phase} ${index}`,
    output_tokens: null,
    cost_usd: null,
    ...more,
  });
}
