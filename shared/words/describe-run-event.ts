import type { EventRecord } from '../schema/events.ts';
import { because, byAuthor, type EventText, say } from './event-sentence.ts';
import { interactionSentence } from './interaction-sentence.ts';
import { REASON_TEXT } from './reason-text.ts';
import { PHASE_TEXT, RUN_STATUS_TEXT } from './run-text.ts';

export type RunEvent = Extract<EventRecord, { type: `run.${string}` }>;

const PLAN_TEXT = { written: 'written', edited: 'edited', accepted: 'accepted' } as const;

export function describeRunEvent(event: RunEvent): EventText {
  const { run } = event.data;
  switch (event.type) {
    case 'run.created':
      return say(`Run ${run} created${byAuthor(event.data)}: ${event.data.title}`);
    case 'run.phase': {
      const { phase, iteration } = event.data;
      const round = phase === 'fix' ? ` ${iteration}` : '';
      return say(`Run ${run}: ${PHASE_TEXT[phase].label}${round}`, 'work');
    }
    case 'run.status': {
      const { status, reason, error } = event.data;
      const { label, tone } = RUN_STATUS_TEXT[status];
      const why = reason === null ? '' : `: ${REASON_TEXT[reason].label}`;
      const now = label.toLowerCase();
      return say(`Run ${run} is ${now}${byAuthor(event.data)}${why}${because(error)}`, tone);
    }
    case 'run.checkpoint':
      return say(`Checkpoint of ${run} saved with ${event.data.events} events`);
    case 'run.plan':
      return say(`Plan of ${run} ${PLAN_TEXT[event.data.action]}${byAuthor(event.data)}`);
    case 'run.check': {
      const { type, name, status } = event.data;
      const what = type === 'gate' ? 'Gate' : 'Test';
      return say(`${what} “${name}” of ${run}: ${status}`, status === 'failed' ? 'fail' : 'idle');
    }
    case 'run.review': {
      const { verdict } = event.data;
      return say(`Review of ${run}: ${verdict}`, verdict === 'pass' ? 'good' : 'wait');
    }
    case 'run.interaction':
      return say(interactionSentence(run, event.data));
    case 'run.input_queued':
      return say(`Input for ${run} queued${byAuthor(event.data)}: ${event.data.preview}`);
    case 'run.input_delivered': {
      const { state } = event.data;
      return say(`Input for ${run} is ${state}`, state === 'unknown' ? 'wait' : 'idle');
    }
    case 'run.worktree': {
      const { action, branch, backup_ref } = event.data;
      const kept = backup_ref === null ? '' : `, work kept as ${backup_ref}`;
      return say(`Worktree of ${run} ${action.replace('_', ' ')}: branch ${branch}${kept}`);
    }
    case 'run.stopped':
      return say(`Stop of ${run} requested${byAuthor(event.data)}${because(event.data.reason)}`);
    case 'run.resumed':
      return say(`Run ${run} resumed${byAuthor(event.data)} in ${event.data.phase}`, 'work');
    case 'run.done': {
      const { status, reason } = event.data;
      const why = reason === null ? '' : `: ${REASON_TEXT[reason].label}`;
      return say(`Run ${run} ended as ${status}${why}`, RUN_STATUS_TEXT[status].tone);
    }
    case 'run.merged':
      return say(`Run ${run} merged into ${event.data.into}${byAuthor(event.data)}`, 'good');
    case 'run.deleted': {
      const { kept } = event.data;
      const work = kept.length === 0 ? '' : `; work kept as ${kept.join(', ')}`;
      return say(`Run ${run} deleted${byAuthor(event.data)}${work}`);
    }
  }
}
