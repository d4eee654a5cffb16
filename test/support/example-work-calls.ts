/** The calls of the contract that need tasks, prompts, projects or runs, and what they name. */
import type { ApiName } from '../../shared/endpoints/api.ts';

/** What a call sends; `id` is that of its path. */
export interface CallValues {
  /** Of the answer on success. */
  status: number;
  body?: object;
  query?: string;
  id?: string;
  /** Of a task. */
  name?: string;
  input?: string;
}

/** Runs by what the calls about runs need. */
export interface ExampleRuns {
  /** A repository to start more runs in, and a branch of it. */
  repository: string;
  branch: string;
  /** Complete, with work on its branch. */
  done: string;
  /** To be removed. */
  removed: string;
  working: string;
  stopped: string;
  /** Two whose plans wait for review, with the hash of each. */
  reviewed: { id: string; hash: string };
  accepted: { id: string; hash: string };
}

/** Tasks by status, and what else the calls about tasks need. */
export interface ExampleTasks {
  /** A repository to create more tasks in. */
  repository: string;
  pending: string;
  pendingId: string;
  working: string;
  stopped: string;
  exhausted: string;
  failed: string;
  /** To be removed, one per call. */
  removed: string;
  emptied: string;
  /** Input that waits, and its task. */
  waiting: { task: string; input: string };
  /** What a person sent to a task that is not at work. */
  interaction: number;
  prompt: string;
  project: string;
}

const NO_UUID = '00000000-0000-4000-8000-000000000000';

export const NO_TASKS: ExampleTasks = {
  repository: '/nowhere',
  pending: 'none',
  pendingId: NO_UUID,
  working: 'none',
  stopped: 'none',
  exhausted: 'none',
  failed: 'none',
  removed: 'none',
  emptied: 'none',
  waiting: { task: 'none', input: NO_UUID },
  interaction: 0,
  prompt: NO_UUID,
  project: NO_UUID,
};

export const NO_RUNS: ExampleRuns = {
  repository: '/nowhere',
  branch: 'main',
  done: 'none',
  removed: 'none',
  working: 'none',
  stopped: 'none',
  reviewed: { id: 'none', hash: '' },
  accepted: { id: 'none', hash: '' },
};

/** In an order that works. */
export function workCalls(tasks: ExampleTasks, runs: ExampleRuns) {
  return {
    createTask: {
      status: 200,
      body: {
        task_name: 'example',
        description: 'Greet by name',
        root_folder: tasks.repository,
        end_criteria: 'it greets',
        gates: [{ name: 'lint', command: 'true' }],
      },
    },
    listTasks: { status: 200, query: '?status=pending&sort_by=task_name&limit=5' },
    getTask: { status: 200, name: tasks.exhausted },
    getTaskById: { status: 200, id: tasks.pendingId },
    getTaskStatus: { status: 200, name: tasks.failed },
    getTaskStatusById: { status: 200, id: tasks.pendingId },
    updateTask: { status: 200, name: tasks.pending, body: { description: 'Greet by name' } },
    getWorktree: { status: 200, name: tasks.pending },
    getTaskDiff: { status: 200, name: tasks.pending },
    sendTaskInput: { status: 200, name: tasks.pending, body: { input: 'Use English' } },
    getTaskInputs: { status: 200, name: tasks.pending },
    cancelTaskInput: { status: 200, name: tasks.waiting.task, input: tasks.waiting.input },
    getConversation: { status: 200, name: tasks.exhausted, query: '?limit=10' },
    streamTask: { status: 200, name: tasks.failed },
    editInteraction: {
      status: 200,
      id: String(tasks.interaction),
      body: { content: 'Use German' },
    },
    startTask: { status: 200, name: tasks.pending },
    stopTask: { status: 200, name: tasks.working },
    resumeTask: { status: 200, name: tasks.stopped },
    recoverTask: { status: 200, name: tasks.failed },
    retryTask: { status: 200, name: tasks.exhausted, query: '?additional_iterations=1' },
    clearAndRestartTask: { status: 200, name: tasks.pending },
    cloneTask: { status: 200, name: tasks.pending },
    deleteWorktree: { status: 200, name: tasks.emptied },
    deleteTask: { status: 200, name: tasks.removed },
    deleteTasks: { status: 200, body: { task_names: [tasks.pending, 'nobody'] } },
    createPrompt: { status: 201, body: { title: 'Greet', content: 'Greet by name' } },
    listPrompts: { status: 200, query: '?search=greet' },
    getPrompt: { status: 200, id: tasks.prompt },
    updatePrompt: { status: 200, id: tasks.prompt, body: { category: 'greetings' } },
    usePrompt: { status: 200, id: tasks.prompt },
    deletePrompt: { status: 200, id: tasks.prompt },
    getHealth: { status: 200 },
    browseDirectories: { status: 200 },
    listGitBranches: {
      status: 200,
      query: `?path=${encodeURIComponent(tasks.repository)}&branch_type=local`,
    },
    openProjectSession: { status: 200, body: { project_path: tasks.repository } },
    getProjectSession: { status: 200, id: tasks.project },
    listProjectTasks: { status: 200, id: tasks.project },
    startRun: { status: 201, body: { prompt: 'Greet by name', cwd: runs.repository } },
    listRuns: { status: 200, query: '?limit=5' },
    getRun: { status: 200, id: runs.done },
    getRunPlan: { status: 200, id: runs.reviewed.id },
    editRunPlan: {
      status: 200,
      id: runs.reviewed.id,
      body: { text: '- [ ] Greet', hash: runs.reviewed.hash },
    },
    acceptRunPlan: { status: 200, id: runs.accepted.id, body: { hash: runs.accepted.hash } },
    sendRunInput: { status: 202, id: runs.working, body: { input: 'Use German' } },
    getRunInteractions: { status: 200, id: runs.done, query: '?limit=10' },
    getRunChecks: { status: 200, id: runs.done, query: '?iteration=0' },
    getRunDiff: { status: 200, id: runs.done },
    getRunReport: { status: 200, id: runs.done },
    mergeRun: { status: 200, id: runs.done, body: { into: runs.branch } },
    stopRun: { status: 200, id: runs.working, body: { reason: 'enough' } },
    resumeRun: { status: 200, id: runs.stopped, body: { from_phase: 'plan' } },
    deleteRun: { status: 200, id: runs.removed },
    cleanUpRuns: { status: 200, body: { completed: true, dry_run: true } },
  } as const satisfies { [Name in ApiName]?: CallValues };
}
