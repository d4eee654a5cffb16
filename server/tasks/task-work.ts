/** The work of tasks: inspected, saved, removed. Nothing here loses any of it. */
import type { z } from 'zod';
import type { WorkDiffs, WorkStates } from '../../shared/schema/tasks/project.ts';
import type { Attention } from '../attention/attention.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError, messageOf } from '../lib/app-error.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import type { InteractionStore } from '../turns/interaction-store.ts';
import type { TaskScheduler } from './task-scheduler.ts';
import type { TurnInputStore } from '../turns/turn-input-store.ts';
import type { TaskStore } from './stores/task-store.ts';
import type { TaskSupervisor } from './executor/task-supervisor.ts';
import type { TestCaseStore } from './stores/test-case-store.ts';

export interface WorkOptions {
  scheduler: TaskScheduler;
  log: EventLog;
  store: TaskStore;
  interactions: InteractionStore;
  inputs: TurnInputStore;
  testCases: TestCaseStore;
  worktrees: Worktrees;
  attention: Attention;
}

export class TaskWork {
  readonly #options: WorkOptions;

  constructor(options: WorkOptions) {
    this.#options = options;
  }

  /** The content of a task's worktrees, and what a removal would do with it. */
  async inspect(name: string): Promise<z.infer<typeof WorkStates>> {
    const { scheduler, worktrees } = this.#options;
    const { id, name: task_name } = scheduler.byName(name).record;
    const ownWorktrees = worktrees.of(id);
    const states = await Promise.all(
      ownWorktrees.map(async (worktree) => worktrees.inspect(worktree)),
    );
    return { task_name, worktrees: states };
  }

  async diff(name: string): Promise<z.infer<typeof WorkDiffs>> {
    const { scheduler, worktrees } = this.#options;
    const { id, name: task_name } = scheduler.byName(name).record;
    const ownWorktrees = worktrees.of(id);
    return {
      task_name,
      projects: await Promise.all(ownWorktrees.map(async (worktree) => worktrees.diff(worktree))),
    };
  }

  /** Forgets the conversation, back to the state before the start; earlier work is saved. */
  async clear(task: TaskSupervisor, author: string) {
    const { scheduler, interactions, inputs, testCases } = this.#options;
    const { id } = task.record;
    return scheduler.alone(task, async () => {
      const done = await this.#endAndRemove(task, author);
      let deleted = 0;
      task.apply({ kind: 'clear', author }, () => {
        deleted = interactions.removeOf(id);
        inputs.removeOf(id);
        testCases.removeOf(id);
      });
      return { deleted_interactions: deleted, git_cleanup: done };
    });
  }

  /** Removes the worktrees and keeps the task. Throws `no_worktree`, `wrong_task_status`. */
  async removeWorktrees(name: string, { autoStop, author }: { autoStop: boolean; author: string }) {
    const { scheduler, worktrees } = this.#options;
    const task = scheduler.byName(name);
    const { id, name: taskName } = task.record;
    const mayStop = () => {
      const wasActive = isActive(task);
      if (!wasActive || autoStop) return wasActive;
      const { status } = task.record.state;
      const next = 'stop it first, or send auto_stop=true';
      throw new AppError('wrong_task_status', `${taskName} is ${status}; ${next}`);
    };
    mayStop();
    if (worktrees.of(id).length === 0) {
      throw new AppError('no_worktree', `${taskName} has no worktree`);
    }
    // It may wait for a merge, and be resumed meanwhile.
    return scheduler.alone(task, async () => ({
      autoStopped: mayStop(),
      done: await this.#endAndRemove(task, author),
    }));
  }

  /**
   * Removes a task. Its worktrees are removed too, or stay where they are; its work is saved in any
   * case.
   */
  async remove(name: string, cleanUp: boolean, author: string): Promise<string[]> {
    const task = this.#options.scheduler.byName(name);
    return this.#options.scheduler.alone(task, async () => this.#remove(task, cleanUp, author));
  }

  async #remove(task: TaskSupervisor, cleanUp: boolean, author: string): Promise<string[]> {
    const { scheduler, log, store, interactions, inputs, testCases } = this.#options;
    const { worktrees, attention } = this.#options;
    const { id, name: taskName } = task.record;
    await this.#end(task, author);
    const done = cleanUp ? await worktrees.remove(id, taskName) : [];
    if (!cleanUp) worktrees.release(id);
    log.write((append) => {
      store.remove(id);
      interactions.removeOf(id);
      inputs.removeOf(id);
      testCases.removeOf(id);
      append({ type: 'task.deleted', data: { task: taskName, kept: done, author } });
    });
    scheduler.drop(id);
    attention.close({ kind: 'task', id: taskName });
    return done;
  }

  /** Each independently: one that cannot be removed blocks no other. */
  async removeAll(names: readonly string[], cleanUp: boolean, author: string) {
    const results = [];
    for (const task_name of names) {
      try {
        const done = await this.remove(task_name, cleanUp, author);
        results.push({ task_name, success: true, message: done.join(' ') || 'removed' });
      } catch (error) {
        results.push({ task_name, success: false, message: messageOf(error) });
      }
    }
    return results;
  }

  /** The task is held meanwhile: starting it again only puts it into the queue. */
  async #endAndRemove(task: TaskSupervisor, author: string): Promise<string[]> {
    const { id, name } = task.record;
    await this.#end(task, author);
    return this.#options.worktrees.remove(id, name);
  }

  async #end(task: TaskSupervisor, author: string): Promise<void> {
    if (isActive(task)) task.apply({ kind: 'stop', author });
    await task.ended();
  }
}

function isActive({ record }: TaskSupervisor): boolean {
  const { stage } = record.state;
  return stage !== 'none' && stage !== 'ending';
}
