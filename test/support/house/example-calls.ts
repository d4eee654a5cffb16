/** One call for each row of the contract: a route without one here fails the contract tests. */
import { openHookCapabilities } from '../../../server/agents/hooks/hook-capability.ts';
import { USAGE_CALLS } from '../runs/usage-calls.ts';
import { API, type ApiName } from '../../../shared/endpoints/api.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import { alertExamples } from '../alerts/alert-examples.ts';
import { pushExamples } from '../alerts/push-examples.ts';
import { type ExampleValues, NO_ID, NO_RUNS, NO_TASKS } from './example-values.ts';

export interface ExampleCall {
  name: ApiName;
  method: Endpoint['method'];
  path: string;
  body?: object;
  /** The status of the answer on success. */
  status: number;
}

/** After everything: selects the newest snapshot. */
const LATER = '2100-01-01T00:00:00.000Z';

/** Valid calls in an order that works. */
export function exampleCalls(values: ExampleValues = {}): ExampleCall[] {
  const { session = 'nobody', taskDir = '/nowhere', code = 'used', failed = session } = values;
  const { alert = { rule: NO_ID, dead: NO_ID } } = values;
  const { asked = NO_ID, noted = NO_ID, held = { session, id: 0 } } = values;
  const { person = NO_ID, incident = { id: NO_ID, token: 'none' } } = values;
  const { withSnapshots = session, working = session, tasks = NO_TASKS } = values;
  const { runs = NO_RUNS, found = 'none', ended = 'none' } = values;
  const { module = { id: 'none', version: null, other: '/nowhere/new' } } = values;
  const calls: Record<
    ApiName,
    Pick<ExampleCall, 'body' | 'status'> & {
      query?: string;
      id?: string;
      /** Of a task. */
      name?: string;
      input?: string;
    }
  > = {
    health: { status: 200 },
    getMetrics: { status: 200 },
    listHosts: { status: 200 },
    listClaims: { status: 200 },
    releaseClaim: { status: 200, body: { key: 'k', revision: 1 } },
    openapi: { status: 200 },
    asyncapi: { status: 200 },
    status: { status: 200 },
    createLoginCode: { status: 201 },
    login: { status: 200, body: { code } },
    createTicket: { status: 201 },
    getMe: { status: 200 },
    listPeople: { status: 200 },
    invitePerson: { status: 201, body: { name: 'Mia', role: 'operator' } },
    changePerson: { status: 200, id: person, body: { role: 'viewer' } },
    createPersonLink: { status: 201, id: person },
    removePerson: { status: 200, id: person },
    createSession: { status: 201, body: { name: session, cwd: taskDir } },
    listSessions: { status: 200 },
    getSession: { status: 200 },
    getSessionActivity: { status: 200 },
    listFound: { status: 200 },
    getFound: { status: 200, id: found },
    getFoundScreen: { status: 200, id: found },
    getFoundActivity: { status: 200, id: found },
    listBackground: { status: 200 },
    listIgnored: { status: 200 },
    setIgnored: { status: 200, body: { directory: '/nowhere', ignored: true } },
    getContinuation: { status: 200, id: ended },
    continueFound: { status: 201, id: ended, body: { name: 'again' } },
    getClientHooks: { status: 200 },
    changeClientHooks: { status: 200, body: { action: 'remove' } },
    getScreen: { status: 200 },
    resizeSession: { status: 200, body: { cols: 100, rows: 30 } },
    getScrollback: { status: 200, query: '?from=0&lines=10' },
    listScreens: { status: 200, query: '?limit=10' },
    getPastScreen: { status: 200, id: withSnapshots },
    startRecording: { status: 201 },
    getRecordingStatus: { status: 200 },
    getRecording: { status: 200 },
    stopRecording: { status: 200 },
    sendInput: { status: 202, body: { text: 'true', submit: true } },
    interruptSession: { status: 202, id: working },
    listInputs: { status: 200 },
    cancelInput: { status: 200, id: held.session },
    listRespawn: { status: 200 },
    getRespawn: { status: 200 },
    getRespawnConfig: { status: 200 },
    changeRespawnConfig: { status: 200, body: { send_init: false } },
    startRespawn: { status: 201, body: { preset: 'solo-work', minutes: 5 } },
    pauseRespawn: { status: 200 },
    resumeRespawn: { status: 200 },
    enableRespawnCheck: { status: 200, body: { check: 'idle' } },
    stopRespawn: { status: 200 },
    startAuto: { status: 201, body: { taskDir } },
    restartAuto: { status: 201, id: failed, body: { maxIterations: 30 } },
    changeLimits: { status: 200, body: { maxIterations: 30 } },
    getAuto: { status: 200 },
    listAuto: { status: 200 },
    listPastLoops: { status: 200, query: '?limit=5' },
    lookupAuto: { status: 200, query: `?taskDir=${encodeURIComponent(taskDir)}` },
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
    previewTaskMerge: {
      status: 200,
      name: tasks.exhausted,
      query: `?into=${encodeURIComponent(tasks.branch)}`,
    },
    mergeTask: { status: 200, name: tasks.exhausted, body: { into: tasks.branch } },
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
    listProjectSetups: { status: 200 },
    setProjectSetup: {
      status: 200,
      body: { path: tasks.repository, copy: ['.env'], setup: 'npm ci', minutes: 5 },
    },
    removeProjectSetup: { status: 200, query: `?path=${encodeURIComponent(tasks.repository)}` },
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
    listDirectories: { status: 200, query: '?match=o&hidden=true' },
    listModules: { status: 200 },
    getModule: { status: 200, id: module.id },
    createModule: { status: 201, body: { path: module.other, description: 'Greet by name' } },
    saveModuleTarget: {
      status: 200,
      id: module.id,
      body: { text: 'Greet in German', version: module.version },
    },
    listAttention: { status: 200, query: '?state=all&limit=10' },
    getAttention: { status: 200, id: asked },
    answerAttention: { status: 200, id: asked, body: { decision: 'allow' } },
    dismissAttention: { status: 200, id: noted },
    ...alertExamples(alert, incident),
    ...pushExamples(values.push),
    getNight: { status: 200 },
    getReport: { status: 200, query: '?since=2026-01-01T00:00:00Z' },
    getHistory: { status: 200, query: '?kind=loop,task&state=working&limit=5' },
    ...USAGE_CALLS,
    listEvents: { status: 200, query: '?after=0&limit=1000&types=auto.*,session.created&wait=0' },
    countEvents: { status: 200, query: '?seconds=3600&bucket=60' },
    streamEvents: { status: 200, query: '?after=0' },
    stopAuto: { status: 202 },
    startDemo: { status: 201 },
    receiveHook: { status: 200, body: { hook_event_name: 'Stop' } },
    deleteSession: { status: 202 },
  };
  return (Object.keys(calls) as ApiName[]).map((name) => {
    const { query = '', id = session, name: task = '', input, ...rest } = calls[name];
    const { method, path } = API[name];
    const filled = path
      .replace(':id', id)
      .replace(':name', task)
      .replace(':input', input ?? String(held.id))
      .replace(':at', LATER);
    return { name, method, path: filled + query, ...rest };
  });
}

/** The secret that authorizes this call. */
export function secretFor({ name }: ExampleCall, token: string, home: string): string {
  if (API[name].role !== 'run') return token;
  return openHookCapabilities(home).issue({ session: 'web', runId: 'r1' });
}
