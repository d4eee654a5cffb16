import type { EventRecord } from '../../schema/events/events.ts';
import {
  because,
  byAuthor,
  contextSentence,
  type EventText,
  newerStatus,
  sentence,
  worktreeSentence,
} from './event-sentence.ts';
import { interactionSentence } from './interaction-sentence.ts';
import { reasonText } from '../reason-text.ts';
import { PHASE_TEXT } from '../work/run-text.ts';
import type { RunStatus } from '../../schema/runs/run-phase.ts';
import { entryFor } from '../entry-for.ts';
import type { Tone } from '../tone.ts';

export type RunEvent = Extract<EventRecord, { type: `run.${string}` }>;

const STATUS_TEXT: Record<RunStatus, { now: string; tone: Tone }> = {
  queued: { now: 'queued', tone: 'idle' },
  running: { now: 'is running', tone: 'work' },
  waiting: { now: 'waits', tone: 'wait' },
  stopping: { now: 'is stopping', tone: 'wait' },
  stopped: { now: 'stopped', tone: 'idle' },
  failed: { now: 'failed', tone: 'fail' },
  done: { now: 'is done', tone: 'good' },
};

const PLAN_TEXT = { written: 'written', edited: 'edited', accepted: 'accepted' } as const;

export function describeRunEvent(event: RunEvent): EventText {
  const { run } = event.data;
  switch (event.type) {
    case 'run.created':
      return sentence(`Run ${run} created${byAuthor(event.data)}: ${event.data.title}`);
    case 'run.phase': {
      const { phase, iteration } = event.data;
      const round = phase === 'fix' ? ` ${iteration}` : '';
      return sentence(`Run ${run}: ${PHASE_TEXT[phase].label}${round}`, 'work');
    }
    case 'run.status': {
      const { status, reason, error } = event.data;
      const { now, tone } = entryFor(STATUS_TEXT, status, newerStatus);
      const why = reason === null ? '' : `: ${reasonText(reason).label}`;
      return sentence(`Run ${run} ${now}${byAuthor(event.data)}${why}${because(error)}`, tone);
    }
    case 'run.held': {
      const { reason, detail } = event.data;
      return sentence(`Run ${run} waits: ${reasonText(reason).label} (${detail})`, 'wait');
    }
    case 'run.checkpoint':
      return sentence(`Checkpoint of ${run} saved with ${event.data.events} events`);
    case 'run.plan':
      return sentence(`Plan of ${run} ${PLAN_TEXT[event.data.action]}${byAuthor(event.data)}`);
    case 'run.check': {
      const { type, name, status } = event.data;
      const what = type === 'gate' ? 'Gate' : 'Test';
      return sentence(
        `${what} “${name}” of ${run}: ${status}`,
        status === 'failed' ? 'fail' : 'idle',
      );
    }
    case 'run.review': {
      const { verdict } = event.data;
      return sentence(`Review of ${run}: ${verdict}`, verdict === 'pass' ? 'good' : 'wait');
    }
    case 'run.interaction':
      return sentence(interactionSentence(run, event.data));
    case 'run.context':
      return sentence(contextSentence(`Run ${run}`, event.data), 'work');
    case 'run.input_queued':
      return sentence(`Input for ${run} queued${byAuthor(event.data)}: ${event.data.preview}`);
    case 'run.input_delivered': {
      const { state } = event.data;
      return sentence(`Input for ${run} is ${state}`, state === 'unknown' ? 'wait' : 'idle');
    }
    case 'run.worktree':
      return worktreeSentence(run, event.data);
    case 'run.stopped':
      return sentence(
        `Stop of ${run} requested${byAuthor(event.data)}${because(event.data.reason)}`,
      );
    case 'run.resumed':
      return sentence(`Run ${run} resumed${byAuthor(event.data)} in ${event.data.phase}`, 'work');
    case 'run.done': {
      const { status, reason } = event.data;
      const why = reason === null ? '' : `: ${reasonText(reason).label}`;
      return sentence(
        `Run ${run} ended (${status})${why}`,
        entryFor(STATUS_TEXT, status, newerStatus).tone,
      );
    }
    case 'run.merged':
      return sentence(`Run ${run} merged into ${event.data.into}${byAuthor(event.data)}`, 'good');
    case 'run.not_merged': {
      const { into, why } = event.data;
      return sentence(`Run ${run} was not merged into ${into}: ${why}`, 'wait');
    }
    case 'run.deleted': {
      const { kept } = event.data;
      const work = kept.length === 0 ? '' : `; work kept as ${kept.join(', ')}`;
      return sentence(`Run ${run} deleted${byAuthor(event.data)}${work}`);
    }
  }
}
