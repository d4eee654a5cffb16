import type { EventRecord } from '../../schema/events/events.ts';
import {
  byAuthor,
  contextSentence,
  type EventText,
  newerStatus,
  sentence,
  worktreeSentence,
} from './event-sentence.ts';
import { entryFor } from '../entry-for.ts';
import { interactionSentence } from './interaction-sentence.ts';
import { reasonText } from '../reason-text.ts';
import type { Tone } from '../tone.ts';
import type { TaskStatus } from '../../schema/tasks/task-status.ts';

export type TaskEvent = Extract<EventRecord, { type: `task.${string}` }>;

const STATUS_TEXT: Record<TaskStatus, { now: string; tone: Tone }> = {
  PENDING: { now: 'queued', tone: 'idle' },
  RUNNING: { now: 'is running', tone: 'work' },
  PAUSED: { now: 'paused', tone: 'wait' },
  STOPPED: { now: 'stopped', tone: 'idle' },
  TESTING: { now: 'is testing', tone: 'work' },
  COMPLETED: { now: 'completed', tone: 'good' },
  FAILED: { now: 'failed', tone: 'fail' },
  EXHAUSTED: { now: 'reached its limit', tone: 'wait' },
};

export function describeTaskEvent(event: TaskEvent): EventText {
  const { task } = event.data;
  switch (event.type) {
    case 'task.created':
      return sentence(`Task ${task} created${byAuthor(event.data)} in ${event.data.root_folder}`);
    case 'task.status': {
      const { status, reason, error } = event.data;
      const why = reason === null ? '' : `: ${reasonText(reason).label}`;
      const detail = error === null ? '' : ` (${error})`;
      const { now, tone } = entryFor(STATUS_TEXT, status, newerStatus);
      return sentence(`Task ${task} ${now}${byAuthor(event.data)}${why}${detail}`, tone);
    }
    case 'task.changed':
      return sentence(`Task ${task} updated${byAuthor(event.data)}`);
    case 'task.held': {
      const { reason, detail } = event.data;
      return sentence(`Task ${task} waits: ${reasonText(reason).label} (${detail})`, 'wait');
    }
    case 'task.deleted': {
      const { kept } = event.data;
      const work = kept.length === 0 ? '' : `; work kept as ${kept.join(', ')}`;
      return sentence(`Task ${task} deleted${byAuthor(event.data)}${work}`);
    }
    case 'task.worktree':
      return worktreeSentence(task, event.data);
    case 'task.merged':
      return sentence(`Task ${task} merged into ${event.data.into}${byAuthor(event.data)}`, 'good');
    case 'task.interaction':
      return sentence(interactionSentence(task, event.data));
    case 'task.context':
      return sentence(contextSentence(`Task ${task}`, event.data), 'work');
    case 'task.input_queued':
      return sentence(`Input for ${task} queued${byAuthor(event.data)}: ${event.data.preview}`);
    case 'task.input_delivered': {
      const { state } = event.data;
      return sentence(`Input for ${task} is ${state}`, state === 'unknown' ? 'wait' : 'idle');
    }
    case 'task.criteria': {
      const { accepted, reasoning } = event.data;
      return sentence(
        `Completion check: task ${task} is ${accepted ? '' : 'not '}done: ${reasoning}`,
      );
    }
    case 'task.tests': {
      const { type, name, status } = event.data;
      const what = type === 'gate' ? 'Gate' : 'Test';
      return sentence(
        `${what} “${name}” of ${task}: ${status}`,
        status === 'failed' ? 'fail' : 'idle',
      );
    }
  }
}
