/** Merges of tasks into local branches, each first checked by the host. Nothing is pushed. */
import type { MergeCheck, TaskMergePreview } from '../../shared/schema/tasks/project.ts';
import { FINAL_STATUSES } from '../../shared/schema/tasks/task-status.ts';
import { endLeftovers } from '../agents/headless/end-turn.ts';
import { mergeRefusal } from '../checks/check-merge.ts';
import type { Check, CheckResult } from '../checks/host-check.ts';
import { plannedChecks } from '../checks/planned-checks.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { landedCommit } from '../worktrees/reading/landed-commit.ts';
import type { Worktree, Worktrees } from '../worktrees/worktrees.ts';
import { checkMark } from './executor/task-checks.ts';
import type { TaskSupervisor } from './executor/task-supervisor.ts';
import type { TaskScheduler } from './task-scheduler.ts';

interface MergesOptions {
  scheduler: TaskScheduler;
  worktrees: Worktrees;
  log: EventLog;
  clock: Clock;
  environment: NodeJS.ProcessEnv;
  testTimeoutMs: number;
}

interface Target {
  into: string;
  /** Needed by a task with several worktrees. */
  repository?: string | undefined;
}

interface Request extends Target {
  squash: boolean;
  message?: string | undefined;
}

/** Of a commit's first line, in characters of the description. */
const TITLE_LENGTH = 100;
const LEFTOVER_GRACE_MS = 5_000;

export class TaskMerges {
  readonly #options: MergesOptions;

  constructor(options: MergesOptions) {
    this.#options = options;
  }

  /** Changes nothing. Throws `task_unknown`, `no_worktree`, `branch_missing` and `git_failed`. */
  async preview(name: string, target: Target): Promise<TaskMergePreview> {
    const { scheduler, worktrees } = this.#options;
    const { record } = scheduler.byName(name);
    const own = this.#worktree(record, target);
    const brought = await worktrees.mergePreview(own, target.into);
    const { dirty_count: uncommitted } = await worktrees.inspect(own);
    const { test_commands: tests, gates } = record.plan.criteria;
    const checks = plannedChecks({ tests, gates }, own.path).map((check) => check.name);
    const { repository, branch } = own;
    const place = { task_name: record.name, repository, branch, into: target.into };
    return { ...place, ...brought, uncommitted, checks };
  }

  /**
   * Commits what is left in the worktree, and merges once the checks pass on the merged result. The
   * task is held meanwhile. Throws as `preview`, and `wrong_task_status`, `merge_conflict`,
   * `merge_refused` and `branch_in_use`; the branch has then not moved.
   */
  async merge(name: string, request: Request, author: string) {
    const { scheduler } = this.#options;
    const task = scheduler.byName(name);
    return scheduler.alone(task, async () => {
      requireEnded(task);
      await task.ended();
      return this.#merge(task, request, author);
    });
  }

  async #merge({ record }: TaskSupervisor, request: Request, author: string) {
    const { worktrees, log, clock, environment, testTimeoutMs: timeoutMs } = this.#options;
    const { id, name: task, plan } = record;
    const { into, squash } = request;
    const own = this.#worktree(record, request);
    await worktrees.commit(own, `Work of task ${task}`);
    const { test_commands: tests, gates } = plan.criteria;
    // A daemon that was killed in a merge may have left some.
    await endLeftovers(checkMark(id), LEFTOVER_GRACE_MS, clock);
    const checks: MergeCheck[] = [];
    const finished = ({ type, name }: Check, result: CheckResult) => {
      checks.push({ type, name, ...result });
    };
    const bounds = { mark: checkMark(id), environment, clock, timeoutMs, needsProof: false };
    const merged = await worktrees.merge(own, {
      into,
      squash,
      message: request.message ?? defaultMessage(task, plan.description),
      verify: async (directory) => {
        const { signal } = new AbortController();
        return mergeRefusal({ tests, gates, directory, finished, ...bounds }, signal);
      },
    });
    if (merged.kind === 'refused') {
      const message = `the checks fail on the merged result: ${merged.detail}`;
      const next = 'send the task that output, or correct its branch';
      throw new AppError('merge_refused', `${message}; ${next}`, { checks });
    }
    const commit = landedCommit(merged, { into, owner: 'task' });
    const seq = log.write((append) =>
      append({ type: 'task.merged', data: { task, into, commit, author } }),
    );
    return { commit, checks, seq };
  }

  #worktree({ id, name }: TaskSupervisor['record'], { repository }: Target): Worktree {
    const all = this.#options.worktrees.of(id);
    const fitting = all.filter((one) => repository === undefined || one.repository === repository);
    const [own] = fitting;
    if (own !== undefined && fitting.length === 1) return own;
    if (all.length === 0) {
      const next = 'only work on a branch of its own can be merged';
      throw new AppError('no_worktree', `${name} has no worktree; ${next}`);
    }
    const known = all.map((one) => one.repository).join(', ');
    throw new AppError('no_worktree', `${name} has worktrees of ${known}; choose one repository`);
  }
}

function requireEnded({ record }: TaskSupervisor): void {
  const { status } = record.state;
  if (FINAL_STATUSES.includes(status)) return;
  const next = status === 'PENDING' ? 'start it first' : 'stop it before the merge';
  throw new AppError('wrong_task_status', `${record.name} is ${status}; ${next}`, { status });
}

function defaultMessage(task: string, description: string): string {
  const [title = ''] = description.trim().split('\n');
  return `Merge task ${task}: ${title.slice(0, TITLE_LENGTH)}`;
}
