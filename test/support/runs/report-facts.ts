/** A run that has ended, and the facts its report is made of. */
import type { RunFacts } from '../../../server/runs/report/run-facts.ts';
import {
  Run as RunSchema,
  RunCheck as CheckSchema,
  type Run,
  type RunCheck,
  type RunRound,
} from '../../../shared/schema/runs/run.ts';

export const COMMIT = '4f1a'.repeat(10);

export function round(more: Partial<RunRound> = {}): RunRound {
  return {
    iteration: 0,
    at: '2025-11-23T02:40:59.000Z',
    commit: COMMIT,
    changed: true,
    checks: 'passed',
    detail: '',
    verdict: 'pass',
    findings: 'Everything is there.',
    ...more,
  };
}

export function check(more: Partial<RunCheck> = {}): RunCheck {
  return CheckSchema.parse({
    id: 1,
    iteration: 0,
    type: 'regression',
    name: 'npm test',
    command: 'npm test --silent',
    status: 'passed',
    exit_code: 0,
    output: '12 tests passed',
    duration_ms: 65_000,
    commit: COMMIT,
    at: '2025-11-23T02:40:00Z',
    ...more,
  });
}

const SPEND = { seconds: 60, input_tokens: 1_000, output_tokens: 200, cost_usd: 0.125, turns: 2 };

export function run(more: Partial<Run> = {}): Run {
  return RunSchema.parse({
    id: 'a1',
    title: 'Add a cache',
    working_dir: '/home/me/shop',
    worktree_path: '/home/me/.worktrees/a1',
    branch: 'run/a1',
    status: 'done',
    stage: 'over',
    phase: 'complete',
    iteration: 1,
    max_fix_rounds: 6,
    reason: 'completed',
    error: null,
    wait: null,
    proof: 'proven',
    active_seconds: 240,
    cost_usd: 0.5,
    output_tokens: 800,
    model: null,
    context_percent: null,
    stale: false,
    valid: true,
    created_by: 'mira',
    started_at: '2025-11-23T02:13:59Z',
    updated_at: '2025-11-23T03:13:59Z',
    completed_at: '2025-11-23T03:13:59Z',
    prompt: 'Add a cache\n\nIt must expire.',
    options: { prompt: 'Add a cache' },
    base: 'main',
    spent: { plan: SPEND, execute: SPEND, review: SPEND, fix: SPEND },
    conversations: { plan: 'c1', execute: 'c2', review: null, fix: null },
    process_pid: null,
    rounds: [round({ checks: 'tests_failed', detail: 'npm test: exit code 1', verdict: null })],
    has_plan: true,
    plan_edited: false,
    evidence: [],
    input_pending: false,
    has_report: true,
    merged_into: null,
    not_merged: null,
    limits_from: 'request',
    actions: ['merge', 'delete'],
    ...more,
  });
}

export function facts(more: Partial<RunFacts> = {}): RunFacts {
  return {
    run: run({ rounds: [...run().rounds, round({ iteration: 1 })] }),
    plan: {
      text: '- [x] Write it\n  - [ ] Test it',
      agent_text: '',
      hash: 'h',
      path: '/runs/a1/plan.md',
      awaits_review: false,
      items: [
        { text: 'Write it', level: 0, done: true },
        { text: 'Test it', level: 1, done: false },
      ],
    },
    checks: [check({ status: 'failed', exit_code: 1 }), check({ id: 2, iteration: 1 })],
    denied: [],
    diff: {
      repository: '/home/me/shop',
      branch: 'run/a1',
      base: 'main',
      files: [
        { path: 'cache.ts', status: 'added', additions: 20, deletions: 0, dirty: false },
        { path: 'a.png', status: 'modified', additions: null, deletions: null, dirty: true },
      ],
      patch: '',
      cut: false,
    },
    ...more,
  };
}
