/** What can happen in a loop's life, as events; and the past loops that result from a sequence of them. */
import type { EventDraft, EventRecord } from '../../../shared/schema/events/events.ts';
import { LoopHistory } from '../../../shared/rules/loops/loop-history.ts';
import type { PastLoop } from '../../../shared/schema/loops/past-loop.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import { agentState } from '../agents/agent-states.ts';

const BEGIN_MS = Date.parse('2026-01-01T00:00:00.000Z');

export const EVIDENCE = [
  { witness: 'process' as const, at: iso(0), lines: ['process 7 has ended'] },
];

type Draft = Pick<EventDraft, 'type' | 'data'>;

/** Events, each with the second it happened at. */
export type Story = readonly (readonly [second: number, Draft])[];

/** Seconds since the story began. */
export function iso(seconds: number): string {
  return new Date(BEGIN_MS + seconds * 1000).toISOString();
}

export const started: Draft = {
  type: 'auto.started',
  data: {
    run_id: 'r1',
    task_dir: '/t',
    max_iterations: 20,
    timeout_minutes: 30,
    agent: 'claude',
  },
};
export const working: Draft = {
  type: 'session.agent_changed',
  data: { agent: agentState({ state: 'working' }) },
};
export const unknown: Draft = {
  type: 'session.agent_changed',
  data: { agent: agentState({ state: 'unknown' }) },
};
export const asking: Draft = {
  type: 'session.agent_changed',
  data: { agent: agentState({ state: 'waiting', cause: 'permission' }) },
};
export const agentGone: Draft = { type: 'session.agent_changed', data: { agent: null } };
export const stall: Draft = {
  type: 'auto.stall_suspected',
  data: { captures: 3, still_seconds: 180, evidence: [] },
};
const counts = { recovery_count_step: 1, recovery_count_total: 4, evidence: [] };
export const tried = (cause: 'stall' | 'api_error' | 'quota'): Draft => ({
  type: 'auto.recovery_tried',
  data: { cause, answer: 'continue', ...counts },
});
export const recoveryFailed: Draft = {
  type: 'auto.recovery_failed',
  data: { cause: 'stall', failure: 'no_progress', ...counts },
};
export const recovered: Draft = {
  type: 'auto.recovered',
  data: { cause: 'stall', after_seconds: 1 },
};
export const quota: Draft = { type: 'auto.quota_entered', data: { until: null, evidence: [] } };
export const quotaLeft: Draft = {
  type: 'auto.quota_left',
  data: { how: 'by_itself', waited_seconds: 1, nudges: 0 },
};
export const restart: Draft = {
  type: 'auto.restart_scheduled',
  data: { reason: 'crashed', restart_count: 1, delay_ms: 5_000, evidence: EVIDENCE },
};
export const restarted: Draft = { type: 'auto.restarted', data: { restart_count: 1 } };
export const stopAsked: Draft = {
  type: 'auto.stop_requested',
  data: { reason: 'user_stop', by: 'person', evidence: [] },
};
export const limits: Draft = {
  type: 'auto.limits_changed',
  data: { max_iterations: 9, timeout_minutes: 9 },
};

/** What an agent reports about its iteration and its next step. */
export function signal(iteration: number, next: 'exec' | '(stop)' = 'exec'): Draft {
  return {
    type: 'auto.signal',
    data: {
      step: 'check',
      result: 'PASS',
      next,
      checkpoint: '',
      iteration,
      suspicious: false,
      out_of_order: false,
      timestamp: iso(0),
    },
  };
}

export function over(type: 'auto.ended' | 'auto.failed', reason: Reason): Draft {
  return {
    type,
    data: {
      task_dir: '/t',
      reason,
      iteration: 3,
      elapsed_seconds: 1,
      quota_wait_seconds: 0,
      restart_count: 0,
      recovery_count: 2,
      error: 'words',
      evidence: EVIDENCE,
    },
  };
}

/** The past loops as of `nowSeconds`; absent: as of the last event. */
export function loopEvents(story: Story, nowSeconds?: number): PastLoop[] {
  const history = new LoopHistory('web');
  story.forEach(([at, draft], index) =>
    history.add({ ...draft, session: 'web', seq: index + 1, at: iso(at) } as EventRecord),
  );
  return history.runs(BEGIN_MS + (nowSeconds ?? story.at(-1)?.[0] ?? 0) * 1000);
}
