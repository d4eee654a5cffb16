import type { TASK_TALK_ENDPOINTS } from '../../../../shared/endpoints/work/task-conversation-endpoints.ts';
import { subjectRef } from '../../../../shared/schema/events/subject.ts';
import type { EventLog } from '../../../events/event-log.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { TaskScheduler } from '../../../tasks/task-scheduler.ts';
import { sayToTask } from '../../../tasks/say-to-task.ts';
import type { TaskConversation } from '../../../tasks/task-conversation.ts';
import type { Tasks } from '../../../tasks/tasks.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';
import { eventCursor } from '../../event-query.ts';
import type { EventReaders } from '../../event-readers.ts';
import { eventSource } from '../../event-source.ts';
import { TASK_STREAM_TYPES, taskFrames } from '../../task-frames.ts';

/** People's input to tasks, the conversation, and its stream. */
export function taskConversationRoutes({
  scheduler,
  tasks,
  talk,
  log,
  clock,
  readers,
  stopped,
}: {
  scheduler: TaskScheduler;
  tasks: Tasks;
  talk: TaskConversation;
  log: EventLog;
  clock: Clock;
  readers: EventReaders;
  stopped: AbortSignal;
}): Handlers<keyof typeof TASK_TALK_ENDPOINTS> {
  return {
    sendTaskInput: ({ params, body, ...call }) => ({
      status: 200,
      body: sayToTask({ scheduler, tasks, talk }, params.name, body, identityOf(call).name),
    }),
    getTaskInputs: ({ params }) => ({ status: 200, body: talk.queue(params.name) }),
    cancelTaskInput: ({ params }) => {
      talk.cancel(params.name, params.input);
      return { status: 200, body: { message: 'Cancelled' } };
    },
    getConversation: ({ params, query }) => ({
      status: 200,
      body: talk.conversation(params.name, query),
    }),
    streamTask: ({ params, request, ...call }) => {
      const task = scheduler.byName(params.name);
      const cursor = eventCursor(request.headers.get('last-event-id'), null);
      const frames = taskFrames({ log, cursor, task, ...talk.of(task) });
      const subject = subjectRef({ kind: 'task', id: task.record.name });
      const filter = { types: TASK_STREAM_TYPES, sessions: null, subjects: [subject] };
      const wanted = { cursor, filter, frames };
      return eventSource(log, clock, readers, wanted, stopped, identityOf(call).held);
    },
    editInteraction: ({ params, body }) => {
      const { id, type, content, timestamp } = talk.edit(params.id, body.content);
      const interaction = { id, type, content, timestamp };
      return { status: 200, body: { message: 'Updated in the conversation record', interaction } };
    },
  };
}
