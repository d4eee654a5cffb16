import type { TASK_ENDPOINTS } from '../../../../shared/endpoints/work/task-endpoints.ts';
import type { TASK_WORK_ENDPOINTS } from '../../../../shared/endpoints/work/task-work-endpoints.ts';
import type { Placement } from '../../../../shared/schema/tasks/placement.ts';
import type { CreateTask, Task } from '../../../../shared/schema/tasks/task.ts';
import type { Identity } from '../../../people/identity.ts';
import type { TaskCreation } from '../../../tasks/task-creation.ts';
import type { TaskMerges } from '../../../tasks/task-merges.ts';
import type { TaskScheduler } from '../../../tasks/task-scheduler.ts';
import type { TaskWork } from '../../../tasks/task-work.ts';
import type { StartedTask, Tasks } from '../../../tasks/tasks.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

/** Creates a task on a host of the fleet. */
export interface Placing {
  create: (
    request: CreateTask,
    placement: Placement,
    caller: { identity: Identity; authorization: string | null; signal: AbortSignal },
  ) => Promise<Task>;
}

/** Tasks: create, view, start, stop, retry, copy, change, remove. */
export function taskRoutes({
  scheduler,
  tasks,
  creation,
  placement,
  work,
  merges,
}: {
  scheduler: TaskScheduler;
  creation: TaskCreation;
  placement: Placing;
  tasks: Tasks;
  work: TaskWork;
  merges: TaskMerges;
}): Handlers<keyof typeof TASK_ENDPOINTS | keyof typeof TASK_WORK_ENDPOINTS> {
  const begun = ({ status, seq }: StartedTask, what: string) => ({
    message: status === 'running' ? `Task ${what}` : `Task ${what}; it starts when a slot is free`,
    status,
    seq,
  });
  return {
    createTask: async ({ body, request, ...call }) => {
      const identity = identityOf(call);
      if (body.placement === undefined) {
        return { status: 200, body: await creation.create(body, identity.name) };
      }
      const authorization = request.headers.get('authorization');
      const caller = { identity, authorization, signal: request.signal };
      return { status: 200, body: await placement.create(body, body.placement, caller) };
    },
    listTasks: ({ query }) => ({ status: 200, body: scheduler.list(query) }),
    deleteTasks: async ({ body, ...call }) => {
      const { task_names, cleanup_worktree } = body;
      const author = identityOf(call).name;
      const results = await work.removeAll(task_names, cleanup_worktree, author);
      const successful = results.filter(({ success }) => success).length;
      const failed = results.length - successful;
      return { status: 200, body: { total: results.length, successful, failed, results } };
    },
    getTask: ({ params }) => ({ status: 200, body: scheduler.view(scheduler.byName(params.name)) }),
    getTaskById: ({ params }) => ({ status: 200, body: scheduler.view(scheduler.byId(params.id)) }),
    getTaskStatus: ({ params }) => ({
      status: 200,
      body: scheduler.status(scheduler.byName(params.name)),
    }),
    getTaskStatusById: ({ params }) => ({
      status: 200,
      body: scheduler.status(scheduler.byId(params.id)),
    }),
    updateTask: async ({ params, body, ...call }) => ({
      status: 200,
      body: await tasks.update(params.name, body, identityOf(call).name),
    }),
    startTask: ({ params, ...call }) => ({
      status: 200,
      body: begun(tasks.start(params.name, identityOf(call).name), 'started'),
    }),
    stopTask: async ({ params, ...call }) => {
      const { ending, seq } = await tasks.stop(params.name, identityOf(call).name);
      return {
        status: 200,
        body: {
          message: 'Task stopped; branch, worktree and conversation are kept',
          status: 'stopped',
          process_killed: ending === 'SIGTERM' || ending === 'SIGKILL',
          termination_method: ending,
          cleanup_performed: false,
          seq,
        },
      };
    },
    resumeTask: ({ params, ...call }) => ({
      status: 200,
      body: begun(tasks.resume(params.name, identityOf(call).name), 'resumed'),
    }),
    recoverTask: ({ params, ...call }) => {
      const { cleared, ...done } = tasks.recover(params.name, identityOf(call).name);
      const { interaction_count } = scheduler.view(scheduler.byName(params.name));
      return {
        status: 200,
        body: {
          ...begun(done, 'recovered'),
          previous_session_cleared: cleared,
          conversation_preserved: true,
          interactions_count: interaction_count,
        },
      };
    },
    retryTask: ({ params, query, ...call }) => {
      const { criteria, ...done } = tasks.retry(params.name, query, identityOf(call).name);
      const { max_iterations, max_tokens, max_cost_usd, max_minutes } = criteria;
      const new_limits = { max_iterations, max_tokens, max_cost_usd, max_minutes };
      return { status: 200, body: { ...begun(done, 'retried'), new_limits } };
    },
    clearAndRestartTask: async ({ params, ...call }) => {
      const { status, seq, ...cleared } = await tasks.clear(params.name, identityOf(call).name);
      return {
        status: 200,
        body: { ...begun({ status, seq }, 'cleared and restarted'), ...cleared },
      };
    },
    cloneTask: async ({ params, query, ...call }) => {
      const task = await tasks.clone(params.name, query.new_name, identityOf(call).name);
      const { id: new_task_id, task_name: new_task } = task;
      const message = `Task copied as ${new_task}`;
      const original_task = scheduler.byName(params.name).record.name;
      return { status: 200, body: { message, original_task, new_task, new_task_id, task } };
    },
    deleteTask: async ({ params, query, ...call }) => {
      const done = await work.remove(params.name, query.cleanup_worktree, identityOf(call).name);
      const cleanUp = query.cleanup_worktree ? { worktree_cleanup: done } : {};
      return { status: 200, body: { message: 'Task removed', ...cleanUp } };
    },
    deleteWorktree: async ({ params, query, ...call }) => {
      const asked = { autoStop: query.auto_stop, author: identityOf(call).name };
      const { autoStopped, done } = await work.removeWorktrees(params.name, asked);
      return {
        status: 200,
        body: {
          message: 'Worktree removed; the task is kept',
          task_preserved: true,
          auto_stopped: autoStopped,
          cleanup_performed: true,
          git_cleanup: done,
        },
      };
    },
    getWorktree: async ({ params }) => ({ status: 200, body: await work.inspect(params.name) }),
    getTaskDiff: async ({ params }) => ({ status: 200, body: await work.diff(params.name) }),
    previewTaskMerge: async ({ params, query }) => ({
      status: 200,
      body: await merges.preview(params.name, query),
    }),
    mergeTask: async ({ params, body, ...call }) => {
      const done = await merges.merge(params.name, body, identityOf(call).name);
      return { status: 200, body: { message: `Task merged into ${body.into}`, ...done } };
    },
  };
}
