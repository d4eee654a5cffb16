/** A loop as clients read it: pure, from its state and the clocks. Defined only here. */
import type { Loop, Wait } from '../../shared/schema/model.ts';
import { reasonText } from '../../shared/words/reason-text.ts';
import { toIso } from '../lib/clock.ts';
import type { LoopState } from './machine/loop-state.ts';
import { quotaWaitMs } from './machine/quota-clock.ts';

/** `ageMs` is the loop's own clock, `wallMs` milliseconds since 1970. */
export function loopView(state: LoopState, ageMs: number, wallMs: number): Loop {
  const waitedMs = quotaWaitMs({ ...state, ageMs });
  return {
    session_name: state.sessionName,
    status: state.status,
    status_since: state.statusSince,
    task_dir: state.taskDir,
    agent: state.agent,
    iteration: state.iteration,
    max_iterations: state.maxIterations,
    elapsed_seconds: Math.floor((ageMs - waitedMs) / 1000),
    timeout_seconds: state.timeoutMinutes * 60,
    timeout_minutes: state.timeoutMinutes,
    permissions: state.permissions,
    quota_wait_seconds: Math.floor(waitedMs / 1000),
    step: state.lastSignal?.step ?? null,
    result: state.lastSignal?.result ?? null,
    next: state.lastSignal?.next ?? null,
    checkpoint: state.lastSignal?.checkpoint ?? null,
    started_at: state.startedAt,
    started_by: state.startedBy === '' ? null : state.startedBy,
    stop_by: (state.stop?.author ?? '') === '' ? null : (state.stop?.author ?? null),
    last_signal_at: state.lastSignalAt,
    restart_count: state.restartCount,
    recovery_count_step: state.recoveryCountStep,
    recovery_count_total: state.recoveryCountTotal,
    stop_reason: state.stop?.reason ?? null,
    stop_evidence: state.stop?.evidence ?? [],
    error: state.error,
    wait: waitView(state, ageMs, wallMs),
  };
}

/** For a session that runs no loop. */
export function noLoopView(sessionName: string): Loop {
  return {
    session_name: sessionName,
    status: 'stopped',
    status_since: null,
    task_dir: null,
    agent: null,
    iteration: null,
    max_iterations: null,
    elapsed_seconds: null,
    timeout_seconds: null,
    timeout_minutes: null,
    permissions: null,
    quota_wait_seconds: null,
    step: null,
    result: null,
    next: null,
    checkpoint: null,
    started_at: null,
    started_by: null,
    stop_by: null,
    last_signal_at: null,
    restart_count: null,
    recovery_count_step: null,
    recovery_count_total: null,
    stop_reason: null,
    stop_evidence: [],
    error: null,
    wait: null,
  };
}

function waitView(state: LoopState, ageMs: number, wallMs: number): Wait | null {
  if (state.wait === null) return null;
  const { until, ...wait } = state.wait;
  if (state.status === 'quota_wait') return { ...wait, ...quotaEnd(state, ageMs, wallMs) };
  return { ...wait, until: until ?? dueAt(state, ageMs, wallMs), next: nextAct(state) };
}

function dueAt({ dueMs }: LoopState, ageMs: number, wallMs: number): string | null {
  return dueMs === null ? null : toIso(wallMs + Math.max(0, dueMs - ageMs));
}

function nextAct(state: LoopState): string {
  if (state.status === 'failed') return 'Starts the loop again.';
  if (state.status === 'restart_wait') return 'Restarts the agent.';
  if (state.wait?.reason === 'kill_withheld') return reasonText('kill_withheld').next;
  if (state.wait?.reason === 'checking') return reasonText('checking').next;
  switch (state.stop?.step) {
    case 'asked':
      return state.stop.by === 'agent'
        ? 'Ends the loop when the agent is idle or exits.'
        : 'The agent stops after its step. If it doesn’t, Loopwatch interrupts it.';
    case 'interrupt':
      return 'The agent was interrupted. If it keeps running, Loopwatch ends its process.';
    case 'kill':
      return 'Loopwatch is ending the agent’s process.';
    case undefined:
      return state.wait === null ? '' : reasonText(state.wait.reason).next;
  }
}

/** Up to the reset, then up to the nudge: a time that has passed says nothing about what comes next. */
function quotaEnd(state: LoopState, ageMs: number, wallMs: number): Pick<Wait, 'until' | 'next'> {
  const { quota, dueMs, wait } = state;
  const reset = wait?.until ?? null;
  const nudgeAt = dueAt(state, ageMs, wallMs);
  if (quota?.nudgedAtMs != null) {
    return { until: nudgeAt, next: 'The agent was nudged; resumes as soon as it works.' };
  }
  if (quota?.workingSinceMs != null) {
    return { until: nudgeAt, next: 'The agent works again. The wait ends if that lasts.' };
  }
  if (reset !== null && Date.parse(reset) > wallMs) {
    const next = 'Resumes after the reset. If it doesn’t, Loopwatch nudges it once.';
    return { until: reset, next };
  }
  if (dueMs === null) {
    const next = 'Open the terminal: the agent did not resume after its limit.';
    return { until: null, next };
  }
  if (dueMs <= ageMs) {
    const next = 'Another loop or task tries the limit first. This one is nudged after it.';
    return { until: null, next };
  }
  if ((quota?.nudges ?? 0) > 0) {
    return { until: nudgeAt, next: 'The last nudge had no effect. Loopwatch nudges again then.' };
  }
  const next =
    reset === null
      ? 'The reset is not known. Loopwatch nudges the agent then, unless it resumes before.'
      : 'The limit was reset. Loopwatch nudges the agent then, unless it resumes before.';
  return { until: nudgeAt, next };
}
