/** A task as clients read it. */
import type { BudgetHold } from '../budgets/budgeted-work.ts';
import { reserveWait } from '../supervision/reserve-wait.ts';
import type { Wait } from '../../shared/schema/model.ts';
import type { Interaction } from '../../shared/schema/tasks/interaction.ts';
import type { Task, TaskStatusView, TestCase } from '../../shared/schema/tasks/task.ts';
import { REASON_TEXT } from '../../shared/words/reason-text.ts';
import { toIso } from '../lib/clock.ts';
import type { Worktree } from '../worktrees/worktrees.ts';
import type { QueuePosition } from '../supervision/schedule-queue.ts';
import type { ClaimWait } from './claims/task-claims.ts';
import type { TaskRecord } from './stores/task-record.ts';

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

const WAITS_FOR_PERSON: readonly string[] = [
  'question',
  'permission',
  'repeats_itself',
  'no_progress',
  'login_needed',
  'agent_error',
];

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

/** The short form, with the current activity as a sentence. */
export function taskStatusView(
  task: TaskRecord,
  around: TaskSurroundings,
  { testCases, latest }: { testCases: TestCase[]; latest: string | null },
): TaskStatusView {
  const view = taskView(task, around);
  const { id, task_name, root_folder, branch_name, base_branch, status, outcome, reason } = view;
  const { wait, summary, error_message, end_criteria_config, total_tokens_used } = view;
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
    progress: progressOf(task),
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

/** Whether its criteria are met; its tests do not count here. */
export function outcomeOf({ state }: TaskRecord): 'FINISHED' | null {
  const isMet = state.completion?.claimed_by === 'criteria' || state.claim?.by === 'criteria';
  return isMet && ['TESTING', 'COMPLETED', 'FAILED'].includes(state.status) ? 'FINISHED' : null;
}

function waitsForPerson({ state }: TaskRecord): boolean {
  return state.stage === 'waiting' && WAITS_FOR_PERSON.includes(state.reason ?? '');
}

function waitOf({ state }: TaskRecord, { place, hold, claim }: TaskSurroundings): Wait | null {
  if (state.stage === 'queued') {
    if (claim !== null && place?.behind.length === 0) {
      const { reason, since, detail } = claim;
      const next = `${detail} ${REASON_TEXT[reason].next}`;
      return { reason, since, until: null, next, evidence: [] };
    }
    if (hold?.reason === 'reserve') return reserveWait(hold, state.queuedAtMs ?? 0);
    const { behind } = place ?? { behind: [] };
    const reason = behind.length > 0 ? ('dependency' as const) : ('concurrency' as const);
    const since = toIso(state.queuedAtMs ?? 0);
    return { reason, since, until: null, next: nextInQueue(place), evidence: [] };
  }
  const { wait } = state;
  return wait === null ? null : { ...wait, next: nextOf(wait.reason) };
}

function nextInQueue(place: QueuePosition | null): string {
  if (place === null) return 'Starts now.';
  if (place.behind.length > 0) return nextBehind(place.behind, place.stuck);
  return place.isHeld
    ? 'Starts once its last process has ended, another task has found the quota available, or other work under its budget is done.'
    : REASON_TEXT.concurrency.next;
}

/** A task that waits for something that cannot continue must show it. */
function nextBehind(behind: readonly string[], stuck: readonly string[]): string {
  const are = (names: readonly string[]) =>
    `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
  if (stuck.length === 0) return `Starts when ${are(behind)} completed.`;
  const next = 'resolve it, or change what this task depends on';
  return `${are(stuck)} not completed and will not complete on its own: ${next}.`;
}

/** The advice for a loop in a terminal does not help here. */
function nextOf(reason: Wait['reason']): string {
  if (WAITS_FOR_PERSON.includes(reason)) {
    const first =
      reason === 'login_needed' ? 'Log the agent in on this machine, then' : 'To answer,';
    return `${first} send the task an input; it continues with that.`;
  }
  if (reason === 'budget' || reason === 'reserve') return REASON_TEXT[reason].next;
  return reason === 'quota' ? 'Resumes automatically after the reset.' : 'Retries automatically.';
}

function processOf({ state }: TaskRecord) {
  const pid = state.turn?.process?.pid ?? null;
  const running = pid !== null && (state.stage === 'talking' || state.stage === 'ending');
  return { process_running: running, process_pid: running ? pid : null };
}

function progressOf(task: TaskRecord): string | null {
  const { state } = task;
  switch (state.status) {
    case 'PENDING':
      return state.stage === 'queued' ? 'Queued.' : 'Not started.';
    case 'RUNNING':
      return state.stage === 'judging'
        ? 'Checking the last answer against the criteria.'
        : `The agent is working on its ${ordinal(state.iterations + 1)} turn.`;
    case 'PAUSED':
      if (state.reason === 'budget') return 'Its budget is used up.';
      if (state.reason === 'reserve')
        return 'Waits; the rest of the plan’s window is kept for people.';
      return waitsForPerson(task) ? 'Needs attention.' : 'Waiting; resumes automatically.';
    case 'STOPPED':
      return 'Stopped; resume to continue.';
    case 'TESTING':
      return 'Running its tests on the host.';
    case 'COMPLETED':
      return outcomeOf(task) === null ? 'Completed.' : null;
    case 'FAILED':
      return 'Failed.';
    case 'EXHAUSTED':
      return null;
  }
}

function ordinal(count: number): string {
  const endings: Record<number, string> = { 1: 'st', 2: 'nd', 3: 'rd' };
  const isTeen = count % 100 > 10 && count % 100 < 14;
  return `${count}${isTeen ? 'th' : (endings[count % 10] ?? 'th')}`;
}
