/**
 * The stream of one task, taken from the event stream: its conversation, its status and its end.
 */
import { type Cursor, formatCursor } from '../../shared/schema/events/cursor.ts';
import type { EventRecord } from '../../shared/schema/events/events.ts';
import type { Interaction } from '../../shared/schema/tasks/interaction.ts';
import { FINAL_STATUSES } from '../../shared/schema/tasks/task-status.ts';
import type { EncodedEvent, EventLog } from '../events/event-log.ts';
import { resolveCursor, type StreamItem } from '../events/event-stream.ts';
import type { TaskState } from '../tasks/machine/task-state.ts';
import type { TaskSupervisor } from '../tasks/executor/task-supervisor.ts';
import type { Frames, Frame } from './event-source.ts';

export const TASK_STREAM_TYPES = ['task.interaction', 'task.status', 'task.deleted'];

interface FramesOptions {
  log: EventLog;
  /** Where the reader continues. */
  cursor: Cursor;
  task: TaskSupervisor;
  /** Null when the interaction is no longer stored. */
  interaction: (id: number) => Interaction | null;
  count: () => number;
}

/**
 * The stream ends when the task is over and everything was sent. The current status comes last; a
 * replayed event carries the status of its time.
 */
export function taskFrames({ log, cursor, task, interaction, count }: FramesOptions): Frames {
  const id = (seq: number) => `id: ${formatCursor(log.epoch, seq)}\n`;
  const frame = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
  const isOver = () => FINAL_STATUSES.includes(task.record.state.status);

  function status({ status, reason }: Pick<TaskState, 'status' | 'reason'>): string {
    return frame({ type: 'status', status, reason, total_interactions: count() });
  }

  function one(event: EncodedEvent): string {
    const { type, data } = JSON.parse(event.json) as EventRecord;
    if (type === 'task.status') return `${id(event.seq)}${status(data)}`;
    const found = type === 'task.interaction' ? interaction(data.id) : null;
    if (found === null) return `${id(event.seq)}\n`;
    const { id: number, type: kind, content, timestamp, ...more } = found;
    return `${id(event.seq)}${frame({ id: number, type: kind, content, timestamp, ...more })}`;
  }

  /** A reader with nothing to catch up on gets the status at once. */
  function greeting(): Frame {
    const from = resolveCursor(log, cursor);
    const isCurrent = 'after' in from && from.after >= log.head;
    if (isCurrent) return { text: status(task.record.state), isLast: isOver() };
    return { text: isOver() ? '' : status(task.record.state), isLast: false };
  }

  function next(item: StreamItem): Frame {
    if (item.kind === 'reset') {
      const { reason, oldest, head } = item;
      const data = JSON.stringify({ reason, oldest, head });
      const now = isOver() ? status(task.record.state) : '';
      return { text: `${id(head)}event: reset\ndata: ${data}\n\n${now}`, isLast: isOver() };
    }
    const own = item.events;
    const isCurrent = item.cursor >= log.head;
    const isDeleted = own.some(({ type }) => type === 'task.deleted');
    const isLast = isDeleted || (isOver() && isCurrent);
    const now = isLast || (isCurrent && own.length > 0) ? status(task.record.state) : '';
    return { text: `${own.map(one).join('')}${now}${id(item.cursor)}\n`, isLast };
  }

  return { greeting, next };
}
