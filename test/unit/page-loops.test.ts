/** What the page derives from a loop's events before it reads the loop again. */
import { expect, it, vi } from 'vitest';
import type { EventDraft, EventRecord } from '../../shared/schema/events.ts';
import type { Loop } from '../../shared/schema/model.ts';
import { apply, touchedLoop } from '../../web/lib/state/apply.ts';
import { DueReads } from '../../web/lib/state/due-reads.ts';
import { EMPTY_WORK, type LiveWork } from '../../web/lib/state/live-work.ts';
import { agentState } from '../support/agent-states.ts';
import { eventRecord } from '../support/event-record.ts';

const BEGIN_MS = Date.parse('2026-01-01T00:00:00.000Z');
const at = (seconds: number) => new Date(BEGIN_MS + seconds * 1000).toISOString();
const EVIDENCE = [{ witness: 'screen' as const, at: at(0), lines: ['resets 3am'] }];
const STARTED: EventDraft = {
  type: 'auto.started',
  data: {
    run_id: 'r',
    task_dir: '/t',
    max_iterations: 20,
    timeout_minutes: 30,
    agent: 'claude',
  },
};
const SIGNAL: EventDraft = {
  type: 'auto.signal',
  data: {
    step: 'check',
    result: 'PASS',
    next: 'exec',
    checkpoint: '',
    iteration: 1,
    suspicious: false,
    out_of_order: false,
    timestamp: at(0),
  },
};
const QUOTA: EventDraft = {
  type: 'auto.quota_entered',
  data: { until: at(3_600), evidence: EVIDENCE },
};
const STALLED: EventDraft = {
  type: 'auto.recovery_failed',
  data: {
    cause: 'stall',
    failure: 'no_prompt',
    evidence: EVIDENCE,
    recovery_count_step: 1,
    recovery_count_total: 4,
  },
};

function record(draft: EventDraft, seconds: number): EventRecord {
  return eventRecord({ ...draft, session: 'web' }, seconds + 1, at(seconds));
}

/** The loop after these events, ten seconds apart, following its start. */
function after(...drafts: EventDraft[]): Loop | undefined {
  const events = [STARTED, ...drafts].map((draft, index) => record(draft, index * 10));
  return events.reduce<LiveWork>(apply, EMPTY_WORK).loops['web']?.loop;
}

const left = (how: 'by_itself' | 'stopped'): EventDraft => ({
  type: 'auto.quota_left',
  data: { how, waited_seconds: 10, nudges: 0 },
});

it('PG11 a wait for quota is shown at once, with its end, and its time counts as one', () => {
  expect(after(SIGNAL, QUOTA)).toMatchObject({
    status: 'quota_wait',
    wait: { reason: 'quota', since: at(20), until: at(3_600), evidence: EVIDENCE },
  });
  const back = { status: 'running', wait: null, elapsed_seconds: 20, quota_wait_seconds: 10 };
  expect(after(SIGNAL, QUOTA, left('by_itself'))).toMatchObject(back);
  expect(after(SIGNAL, QUOTA, SIGNAL)).toMatchObject({ status: 'running', wait: null });
  expect(after(SIGNAL, QUOTA, left('stopped'))).toMatchObject({ status: 'quota_wait', wait: null });
});

it('PG11 a stalled loop says so until it continues, and counts its recoveries', () => {
  const stalled = after(SIGNAL, STALLED);
  expect(stalled).toMatchObject({ status: 'running', recovery_count_total: 4 });
  expect(stalled?.wait).toMatchObject({ reason: 'stalled', until: null, evidence: EVIDENCE });
  expect(after(SIGNAL, STALLED, SIGNAL)?.wait).toBe(null);
  const recovered: EventDraft = {
    type: 'auto.recovered',
    data: { cause: 'stall', after_seconds: 1 },
  };
  expect(after(SIGNAL, STALLED, recovered)?.wait).toBe(null);
  expect(after(SIGNAL, STALLED, STALLED)?.wait?.since).toBe(at(20));
});

it('PG11 a restart, a stop and a failure bring their evidence', () => {
  const restart: EventDraft = {
    type: 'auto.restart_scheduled',
    data: { reason: 'crashed', restart_count: 2, delay_ms: 5_000, evidence: EVIDENCE },
  };
  expect(after(SIGNAL, restart)).toMatchObject({
    status: 'restart_wait',
    restart_count: 2,
    wait: { reason: 'crashed', since: at(20), until: at(25), evidence: EVIDENCE },
  });
  const again: EventDraft = { type: 'auto.restarted', data: { restart_count: 2 } };
  expect(after(SIGNAL, restart, again)).toMatchObject({ status: 'running', wait: null });
  const stop: EventDraft = {
    type: 'auto.stop_requested',
    data: { reason: 'user_stop', by: 'person', evidence: EVIDENCE },
  };
  const stopping = { status: 'stopping', stop_reason: 'user_stop', stop_evidence: EVIDENCE };
  expect(after(SIGNAL, stop)).toMatchObject(stopping);
  const failed: EventDraft = {
    type: 'auto.failed',
    data: {
      task_dir: '/t',
      reason: 'restart_limit',
      iteration: 3,
      elapsed_seconds: 7,
      quota_wait_seconds: 5,
      restart_count: 3,
      recovery_count: 2,
      error: 'words',
      evidence: EVIDENCE,
    },
  };
  expect(after(SIGNAL, restart, failed)).toMatchObject({
    status: 'failed',
    stop_reason: 'restart_limit',
    stop_evidence: EVIDENCE,
    wait: null,
    quota_wait_seconds: 5,
    recovery_count_total: 2,
    elapsed_seconds: 7,
  });
});

it('PG11 a loop is read again after its own events and after those of its agent', () => {
  const changed = record(
    { type: 'session.agent_changed', data: { agent: agentState({ state: 'waiting' }) } },
    1,
  );
  const work = apply(EMPTY_WORK, record(STARTED, 0));
  expect([
    touchedLoop(work, changed),
    touchedLoop(EMPTY_WORK, changed),
    touchedLoop(EMPTY_WORK, record(STARTED, 0)),
    touchedLoop(work, record({ type: 'session.closed', data: { reason: 'requested' } }, 2)),
  ]).toEqual(['web', null, 'web', null]);
});

it('CL54 a loop is read again once the time that its wait names has come', () => {
  vi.useFakeTimers();
  try {
    const read: string[] = [];
    const due = new DueReads((name) => read.push(name));
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
    due.follow('web', inSeconds(10));
    due.follow('api', inSeconds(10));
    due.follow('late', inSeconds(-1));
    due.follow('next-month', inSeconds(40 * 86_400));
    // Another reset, and the end of a wait.
    due.follow('web', inSeconds(60));
    due.follow('api', null);
    vi.advanceTimersByTime(59_000);
    expect(read).toEqual([]);
    vi.advanceTimersByTime(5_000);
    expect(read).toEqual(['web']);
    due.stop();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
