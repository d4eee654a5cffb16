import { oneLine } from '../rules/plain-text.ts';
import { toolCallSubject } from '../rules/tool-call.ts';
import type { EventRecord } from '../schema/events.ts';
import { REASON_TEXT } from './reason-text.ts';
import type { Tone } from './tone.ts';
import type { TaskStatus } from '../schema/tasks/task-status.ts';

export type TaskEvent = Extract<EventRecord, { type: `task.${string}` }>;

/** In characters; one less than an event has of a message, so that a cut one ends in an ellipsis. */
const LINE_LENGTH = 299;

const STATUS_TONE: Record<TaskStatus, Tone> = {
  PENDING: 'idle',
  RUNNING: 'work',
  PAUSED: 'wait',
  STOPPED: 'idle',
  TESTING: 'work',
  COMPLETED: 'good',
  FAILED: 'fail',
  EXHAUSTED: 'wait',
};

export function describeTaskEvent(event: TaskEvent): { text: string; tone: Tone } {
  const { task } = event.data;
  switch (event.type) {
    case 'task.created':
      return say(`Task ${task} created${by(event.data)} in ${event.data.root_folder}`);
    case 'task.status': {
      const { status, reason, error } = event.data;
      const why = reason === null ? '' : `: ${REASON_TEXT[reason].label}`;
      const detail = error === null ? '' : ` (${error})`;
      const now = status === 'PENDING' ? 'queued' : `is ${status.toLowerCase()}`;
      const text = `Task ${task} ${now}${by(event.data)}${why}${detail}`;
      return say(text, STATUS_TONE[status]);
    }
    case 'task.changed':
      return say(`Task ${task} updated${by(event.data)}`);
    case 'task.deleted': {
      const { kept } = event.data;
      const work = kept.length === 0 ? '' : `; work kept as ${kept.join(', ')}`;
      return say(`Task ${task} deleted${by(event.data)}${work}`);
    }
    case 'task.worktree': {
      const { action, branch, backup_ref } = event.data;
      const kept = backup_ref === null ? '' : `, work kept as ${backup_ref}`;
      return say(`Worktree of ${task} ${action.replace('_', ' ')}: branch ${branch}${kept}`);
    }
    case 'task.interaction':
      return say(interactionText(event.data));
    case 'task.input_queued':
      return say(`Input for ${task} queued${by(event.data)}: ${event.data.preview}`);
    case 'task.input_delivered': {
      const { state } = event.data;
      return say(`Input for ${task} is ${state}`, state === 'unknown' ? 'wait' : 'idle');
    }
    case 'task.criteria': {
      const { accepted, reasoning } = event.data;
      return say(`Completion check: task ${task} is ${accepted ? '' : 'not '}done: ${reasoning}`);
    }
    case 'task.tests': {
      const { type, name, status } = event.data;
      const what = type === 'gate' ? 'Gate' : 'Test';
      return say(`${what} “${name}” of ${task}: ${status}`, status === 'failed' ? 'fail' : 'idle');
    }
  }
}

function interactionText(data: Extract<TaskEvent, { type: 'task.interaction' }>['data']): string {
  const { task, type, turn, tool, output_tokens: tokens } = data;
  // The last message of a turn is reported again when its usage is known.
  if (tokens !== null) return `Turn ${turn} of ${task} used ${tokens} output tokens`;
  const text = oneLine(data.preview, LINE_LENGTH);
  if (type === 'user_request') return `Input to ${task}: ${text}`;
  if (type === 'simulated_human') return `Automatic input to ${task}: ${text}`;
  if (tool === null) return `${task}: ${text}`;
  if (type === 'tool_result') return `${task}, result of ${tool}: ${text === '' ? 'empty' : text}`;
  const subject = oneLine(toolCallSubject(data.preview), LINE_LENGTH);
  return `${task} uses ${tool}${subject === '' ? '' : `: ${subject}`}`;
}

function say(text: string, tone: Tone = 'idle') {
  return { text, tone };
}

function by({ author }: { author?: string | undefined }): string {
  return author === undefined ? '' : ` by ${author}`;
}
