/** Applies an event to a run at once; what events do not carry is read again. Pure. */
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { Reason } from '$shared/schema/reasons.ts';
import type { RunSummary } from '$shared/schema/runs/run.ts';
import type { RunEvent } from '$shared/words/events/describe-run-event.ts';
import { timedNextStep } from '$shared/words/reason-text.ts';
import { runNextStep } from '$shared/words/work/run-text.ts';

export function isRunEvent(event: EventRecord): event is EventRecord & RunEvent {
  return event.type.startsWith('run.');
}

/** Null: it was deleted. */
export function applyRunEvent<Known extends RunSummary>(run: Known, event: RunEvent): Known | null {
  const next = { ...run, updated_at: event.at };
  switch (event.type) {
    case 'run.deleted':
      return null;
    case 'run.phase':
      return { ...next, phase: event.data.phase, iteration: event.data.iteration };
    case 'run.status': {
      const { status, phase, reason, error, until } = event.data;
      const isSame = status === run.status && reason === run.reason;
      const isWait = status === 'waiting' && reason !== null;
      const wait = isWait
        ? { reason, since: event.at, until, next: nextStep(reason, until), evidence: [] }
        : null;
      return { ...next, status, phase, reason, error, wait: isSame ? run.wait : wait };
    }
    case 'run.resumed':
      return { ...next, phase: event.data.phase, completed_at: null, stale: false };
    case 'run.done': {
      const { status, reason, proof, iteration, active_seconds, cost_usd } = event.data;
      const ended = { status, reason, proof, iteration, active_seconds, cost_usd };
      return { ...next, ...ended, stage: 'over', wait: null, completed_at: event.at };
    }
    case 'run.checkpoint':
      return { ...next, stale: false };
    default:
      return next;
  }
}

function nextStep(reason: Reason, until: string | null): string {
  return until === null ? runNextStep(reason) : timedNextStep(reason);
}

/** Whether the run must be read again. Not after interactions and saves, which are most events. */
export function mustReadRun(event: RunEvent): boolean {
  if (event.type === 'run.deleted' || event.type === 'run.checkpoint') return false;
  return event.type !== 'run.interaction' || event.data.output_tokens !== null;
}
