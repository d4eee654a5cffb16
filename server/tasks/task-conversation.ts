/** People's input to tasks, stored before it is acknowledged, and the conversation so far. */
import { randomUUID } from 'node:crypto';
import type { Conversation, Interaction } from '../../shared/schema/tasks/interaction.ts';
import type { InteractionQuery } from '../../shared/schema/tasks/task.ts';
import type {
  SendTaskInput,
  SentTaskInput,
  TaskInputQueue,
} from '../../shared/schema/tasks/task-input.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { collapseTools } from './collapse-tools.ts';
import type { InteractionStore } from '../turns/interaction-store.ts';
import type { TaskScheduler } from './task-scheduler.ts';
import type { TurnInputStore } from '../turns/turn-input-store.ts';
import type { TaskSupervisor } from './executor/task-supervisor.ts';

/** The same text within this time is a second click, as long as the first one waits. */
const DUPLICATE_MS = 30_000;
const SHOWN_INPUTS = 5;
const PREVIEW = 100;
const EVENT_PREVIEW = 300;

export interface ConversationPanelOptions {
  scheduler: TaskScheduler;
  log: EventLog;
  clock: Clock;
  inputs: TurnInputStore;
  interactions: InteractionStore;
}

export class TaskConversation {
  readonly #options: ConversationPanelOptions;

  constructor(options: ConversationPanelOptions) {
    this.#options = options;
  }

  /**
   * Queues a person's input. It is stored before this returns; a waiting task continues at once.
   */
  say(name: string, request: Omit<SendTaskInput, 'resume'>, author: string): SentTaskInput {
    const { scheduler, inputs, log, clock } = this.#options;
    const task = scheduler.byName(name);
    const { id, name: taskName } = task.record;
    const now = clock.now();
    const notQueued = { id: null, immediate: false, restarted: false };
    if (
      request.images === undefined &&
      inputs.waits(id, request.input, toIso(now - DUPLICATE_MS))
    ) {
      const answer = this.#answer(task, request.input, 'QUEUED_FOR_EXECUTOR', notQueued);
      const message = 'the same text is already queued; it was not queued again';
      return { ...answer, message, blocked_reason: 'duplicate' };
    }
    const { stage } = task.record.state;
    const input = {
      id: randomUUID(),
      taskId: id,
      text: request.input,
      images: request.images ?? [],
      interrupt: request.interrupt,
      author,
    };
    log.write((append) => {
      inputs.insert(input, toIso(now));
      const preview = request.input.slice(0, EVENT_PREVIEW);
      const data = { task: taskName, id: input.id, preview, interrupt: request.interrupt, author };
      append({ type: 'task.input_queued', data });
    });
    task.notice({ kind: 'input', interrupt: request.interrupt });
    const interrupts = stage === 'talking' && request.interrupt;
    const restarts = stage === 'waiting';
    const type = interrupts
      ? 'REAL_TIME_INTERRUPT'
      : restarts
        ? 'EXECUTOR_RESTART'
        : 'QUEUED_FOR_EXECUTOR';
    const what = { id: input.id, immediate: interrupts || restarts, restarted: restarts };
    return this.#answer(task, request.input, type, what);
  }

  queue(name: string): TaskInputQueue {
    const { scheduler, inputs } = this.#options;
    const { id, name: taskName } = scheduler.byName(name).record;
    const { total, pending } = inputs.count(id);
    return {
      task_name: taskName,
      total_inputs: total,
      pending_inputs: pending,
      processed_inputs: total - pending,
      has_pending: pending > 0,
      queue_preview: inputs.last(id, SHOWN_INPUTS),
    };
  }

  /** Throws `input_unknown`, or `input_not_held` when it is no longer in the queue. */
  cancel(name: string, inputId: string): void {
    const { scheduler, inputs, log, clock } = this.#options;
    const { id, name: task } = scheduler.byName(name).record;
    const input = inputs.get(inputId);
    if (input?.taskId !== id) throw new AppError('input_unknown', 'no input with that id');
    if (input.state !== 'queued') {
      throw new AppError('input_not_held', `cannot cancel this input: it is ${input.state}`);
    }
    log.write((append) => {
      inputs.setState(inputId, 'cancelled', toIso(clock.now()));
      append({ type: 'task.input_delivered', data: { task, id: inputId, state: 'cancelled' } });
    });
  }

  /** A page of the conversation, oldest first; without a cursor the newest page. */
  conversation(name: string, query: InteractionQuery): Conversation {
    const { scheduler, interactions } = this.#options;
    const { id, name: task_name, state } = scheduler.byName(name).record;
    const { after, before, limit, collapse_tools } = query;
    const page = interactions.page(id, { after, before, limit });
    const [first, last] = [page[0], page.at(-1)];
    const isFull = page.length === limit;
    const isForward = after !== undefined;
    return {
      task_name,
      status: state.status,
      conversation: collapse_tools ? collapseTools(page) : page,
      total: interactions.count(id),
      next: last !== undefined && (isForward ? isFull : before !== undefined) ? last.id : null,
      previous: first !== undefined && (isForward ? after > 0 : isFull) ? first.id : null,
    };
  }

  /** Sources for the stream of a task. */
  of(task: TaskSupervisor) {
    const { interactions } = this.#options;
    const { id } = task.record;
    return {
      interaction: (interactionId: number) => interactions.get(interactionId)?.interaction ?? null,
      count: () => interactions.count(id),
    };
  }

  /** Corrects a person's entry, only in the record. */
  edit(interactionId: number, content: string): Interaction {
    const { scheduler, interactions, log } = this.#options;
    const found = interactions.get(interactionId);
    if (found === null) throw new AppError('interaction_unknown', 'no entry with that id');
    if (found.interaction.type !== 'user_request') {
      throw new AppError('not_editable', 'only entries written by a user can be edited');
    }
    const { record } = scheduler.byId(found.taskId);
    if (record.state.status === 'RUNNING') {
      throw new AppError('wrong_task_status', `${record.name} is RUNNING; stop it first`);
    }
    log.write((append) => {
      interactions.edit(interactionId, content);
      append({ type: 'task.changed', data: { task: record.name } });
    });
    return { ...found.interaction, content, length: content.length };
  }

  #answer(
    task: TaskSupervisor,
    input: string,
    processing_type: SentTaskInput['processing_type'],
    { id, immediate, restarted }: { id: string | null; immediate: boolean; restarted: boolean },
  ): SentTaskInput {
    const { name, state } = task.record;
    const isGuaranteed = state.stage !== 'none' && state.stage !== 'ending';
    return {
      message: isGuaranteed
        ? 'queued; sent before any automatic prompt'
        : `queued; sent when the task continues (it is ${state.status} now)`,
      task_name: name,
      id,
      input_preview: input.slice(0, PREVIEW),
      queue_priority: 'HIGH',
      guaranteed_processing: isGuaranteed,
      immediate_processing: immediate,
      task_executor_restarted: restarted,
      processing_type,
    };
  }
}
