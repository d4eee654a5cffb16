/** A task as clients read it. */
import type { BudgetHold } from '../budgets/budgeted-work.ts';
import { type ClaimWait, waitForClaim } from '../claims/claim-wait.ts';
import { reserveWait } from '../supervision/reserve-wait.ts';
import type { Wait } from '../../shared/schema/model.ts';
import type { Interaction } from '../../shared/schema/tasks/interaction.ts';
import type { Task, TaskStatusView, TestCase } from '../../shared/schema/tasks/task.ts';
import { HELD_NEXT, timedNextStep, reasonText } from '../../shared/words/reason-text.ts';
import { toIso } from '../lib/clock.ts';
import type { Worktree } from '../worktrees/worktrees.ts';
import type { QueuePosition } from '../supervision/schedule-queue.ts';
import type { TaskRecord } from './stores/task-record.ts';
import { isForAPerson, outcomeOf, taskProgress, waitsForPerson } from './task-standing.ts';

/** What is known about a task besides its record. */
export interface TaskSurroundings {
  worktrees: readonly Worktree[];
  /** Its place in the queue, and the tasks it waits for. */
  place: QueuePosition | null;
  /** Why no turn may be sent now. */
  hold: BudgetHold | null;
  /** Why it may not begin on this host. */
  claim: ClaimWait | null;
  activeMs: number;
  interactionCount: number;
  hasPendingInput: boolean;
}

/** `more` is what lists leave out. */
export function taskView(
  task: TaskRecord,
  around: TaskSurroundings,
  more: { testCases: TestCase[]; interactions: Interaction[] } = {
    testCases: [],
    interactions: [],
  },
): Task {
  const { plan, state } = task;
  const own = worktreeOf(around.worktrees, plan.rootFolder);
  return {
    id: task.id,
    task_name: task.name,
    session_id: task.projectId,
    description: plan.description,
    root_folder: plan.rootFolder,
    branch_name: own?.branch ?? plan.branchName,
    base_branch: own?.base ?? plan.baseBranch,
    git_repo: plan.gitRepo,
    is_repository: plan.isRepository,
    use_worktree: plan.useWorktree,
    worktree_path: own?.path ?? null,
    status: state.status,
    outcome: outcomeOf(task),
    reason: state.reason,
    completion: state.completion,
    wait: waitOf(task, around),
    progress: taskProgress(task),
    priority: plan.priority,
    depends_on: plan.dependsOn,
    queue_position: around.place?.position ?? null,
    summary: state.summary,
    error_message: state.error,
    end_criteria_config: plan.criteria,
    projects: projectsOf(task, around),
    project_context: plan.projectContext,
    custom_human_input: plan.customHumanInput,
    permission_mode: plan.permissionMode,
    claude_session_id: state.conversationId,
    ...processOf(task),
    iterations: state.iterations,
    total_tokens_used: state.outputTokens,
    total_cost_usd: state.costUsd,
    model: state.context.model ?? null,
    context_percent: state.context.percent,
    active_seconds: Math.round(around.activeMs / 1000),
    interaction_count: around.interactionCount,
    user_input_pending: around.hasPendingInput,
    waiting_for_input: waitsForPerson(task),
    placed: plan.placed ?? null,
    created_by: task.createdBy,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    started_at: state.startedAt,
    completed_at: state.completedAt,
    test_cases: more.testCases,
    interactions: more.interactions,
  };
}

/** The short form. */
export function taskStatusView(
  task: TaskRecord,
  around: TaskSurroundings,
  { testCases, latest }: { testCases: TestCase[]; latest: string | null },
): TaskStatusView {
  const view = taskView(task, around);
  const { id, task_name, root_folder, branch_name, base_branch, status, outcome, reason } = view;
  const { wait, progress, summary, error_message, end_criteria_config, total_tokens_used } = view;
  const { total_cost_usd, iterations, interaction_count, waiting_for_input, projects } = view;
  const { project_context, process_running, process_pid } = view;
  const of = (...all: TestCase['status'][]) =>
    testCases.filter((each) => all.includes(each.status)).length;
  return {
    id,
    task_name,
    root_folder,
    branch_name,
    base_branch,
    status,
    outcome,
    reason,
    wait,
    summary,
    error_message,
    end_criteria_config,
    total_tokens_used,
    total_cost_usd,
    iterations,
    interaction_count,
    progress,
    test_summary: {
      total: testCases.length,
      passed: of('passed'),
      failed: of('failed'),
      pending: of('pending'),
    },
    latest_claude_response: latest,
    waiting_for_input,
    projects,
    project_context,
    process_running,
    process_pid,
  };
}

/** Plans hold real paths, so that lists need no disk access. */
function worktreeOf(worktrees: readonly Worktree[], path: string): Worktree | undefined {
  return worktrees.find(({ repository }) => repository === path);
}

/** A task of one directory has one project, which it writes to. */
function projectsOf({ plan }: TaskRecord, { worktrees }: TaskSurroundings): Task['projects'] {
  const root = { path: plan.rootFolder, access: 'write' as const, context: plan.projectContext };
  const projects = plan.projects.length === 0 ? [root] : plan.projects;
  return projects.map((project) => {
    const worktree = project.access === 'write' ? worktreeOf(worktrees, project.path) : undefined;
    return { ...project, worktree_path: worktree?.path ?? null };
  });
}

function waitOf({ state }: TaskRecord, { place, hold, claim }: TaskSurroundings): Wait | null {
  if (state.stage === 'queued') {
    if (claim !== null && place?.behind.length === 0) return waitForClaim(claim);
    if (hold?.reason === 'reserve') return reserveWait(hold, state.queuedAtMs);
    const { behind } = place ?? { behind: [] };
    const reason = behind.length > 0 ? ('dependency' as const) : ('concurrency' as const);
    const since = toIso(state.queuedAtMs);
    return { reason, since, until: null, next: nextInQueue(place), evidence: [] };
  }
  const { wait } = state;
  return wait === null ? null : { ...wait, next: nextOf(wait.reason) };
}

function nextInQueue(place: QueuePosition | null): string {
  if (place === null) return 'Starts now.';
  if (place.behind.length > 0) return nextBehind(place.behind, place.stuck);
  return place.isHeld ? HELD_NEXT : reasonText('concurrency').next;
}

/** A task that waits for something that cannot continue must show it. */
function nextBehind(behind: readonly string[], stuck: readonly string[]): string {
  const are = (names: readonly string[]) =>
    `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
  if (stuck.length === 0) return `Starts when ${are(behind)} completed.`;
  const next = 'resolve it, or change what this task depends on';
  return `${are(stuck)} not completed and will not complete on its own: ${next}.`;
}

const BEFORE_INPUT: Partial<Record<Wait['reason'], string>> = {
  login_needed: 'Log the agent in on this machine, then',
  agent_error: 'Read the error and remove its cause, then',
};

/** The advice for a loop in a terminal does not help here. */
function nextOf(reason: Wait['reason']): string {
  if (!isForAPerson(reason)) return timedNextStep(reason);
  return `${BEFORE_INPUT[reason] ?? 'To answer,'} send the task an input; it continues with that.`;
}

function processOf({ state }: TaskRecord) {
  const pid = state.turn?.process?.pid ?? null;
  const running = pid !== null && (state.stage === 'talking' || state.stage === 'ending');
  return { process_running: running, process_pid: running ? pid : null };
}
