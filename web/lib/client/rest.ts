/**
 * Typed calls of the REST contract. Paths and methods are literals that the compiler checks against
 * the contract, so that the page bundles no schema.
 */
import type { API } from '$shared/endpoints/api.ts';
import { asRequestError, RequestError } from './request-error.ts';

type Contract = typeof API;
type Line<Name extends keyof Contract> = `${Contract[Name]['method']} ${Contract[Name]['path']}`;

const ENDPOINTS = {
  status: 'GET /api/status',
  login: 'POST /api/login',
  createTicket: 'POST /api/tickets',
  createLoginCode: 'POST /api/login-codes',
  getMe: 'GET /api/me',
  listPeople: 'GET /api/people',
  invitePerson: 'POST /api/people',
  changePerson: 'PATCH /api/people/:id',
  createPersonLink: 'POST /api/people/:id/link',
  removePerson: 'DELETE /api/people/:id',
  createSession: 'POST /api/sessions',
  listSessions: 'GET /api/sessions',
  deleteSession: 'DELETE /api/sessions/:id',
  getScreen: 'GET /api/sessions/:id/screen',
  getScrollback: 'GET /api/sessions/:id/scrollback',
  listScreens: 'GET /api/sessions/:id/screens',
  getPastScreen: 'GET /api/sessions/:id/screens/:at',
  interruptSession: 'POST /api/sessions/:id/interrupt',
  sendInput: 'POST /api/sessions/:id/input',
  startAuto: 'POST /api/sessions/:id/task-auto',
  restartAuto: 'POST /api/sessions/:id/task-auto/restart',
  changeLimits: 'PATCH /api/sessions/:id/task-auto',
  stopAuto: 'DELETE /api/sessions/:id/task-auto',
  getAuto: 'GET /api/sessions/:id/task-auto',
  listAuto: 'GET /api/task-auto',
  listPastLoops: 'GET /api/task-auto/history',
  getRespawn: 'GET /api/sessions/:id/respawn',
  getRespawnConfig: 'GET /api/sessions/:id/respawn/config',
  changeRespawnConfig: 'PUT /api/sessions/:id/respawn/config',
  enableRespawnCheck: 'POST /api/sessions/:id/respawn/checks',
  startRespawn: 'POST /api/sessions/:id/respawn/start',
  stopRespawn: 'POST /api/sessions/:id/respawn/stop',
  pauseRespawn: 'POST /api/sessions/:id/respawn/pause',
  resumeRespawn: 'POST /api/sessions/:id/respawn/resume',
  startDemo: 'POST /api/demo',
  listDirectories: 'GET /api/directories',
  listModules: 'GET /api/modules',
  getModule: 'GET /api/modules/:id',
  createModule: 'POST /api/modules',
  saveModuleTarget: 'PUT /api/modules/:id/target',
  listAttention: 'GET /api/attention',
  getAttention: 'GET /api/attention/:id',
  answerAttention: 'POST /api/attention/:id/answer',
  dismissAttention: 'POST /api/attention/:id/dismiss',
  listAlerts: 'GET /api/alerts',
  createAlert: 'POST /api/alerts',
  changeAlert: 'PATCH /api/alerts/:id',
  deleteAlert: 'DELETE /api/alerts/:id',
  testAlert: 'POST /api/alerts/:id/test',
  listAlertDeliveries: 'GET /api/alerts/deliveries',
  retryAlertDelivery: 'POST /api/alerts/deliveries/:id/retry',
  listEvents: 'GET /api/events',
  countEvents: 'GET /api/events/counts',
  createTask: 'POST /api/v1/tasks',
  listTasks: 'GET /api/v1/tasks',
  getTask: 'GET /api/v1/tasks/by-name/:name',
  startTask: 'POST /api/v1/tasks/by-name/:name/start',
  stopTask: 'POST /api/v1/tasks/by-name/:name/stop',
  resumeTask: 'POST /api/v1/tasks/by-name/:name/resume',
  recoverTask: 'POST /api/v1/tasks/by-name/:name/recover',
  retryTask: 'POST /api/v1/tasks/by-name/:name/retry',
  clearAndRestartTask: 'POST /api/v1/tasks/by-name/:name/clear-and-restart',
  cloneTask: 'POST /api/v1/tasks/by-name/:name/clone',
  deleteTask: 'DELETE /api/v1/tasks/by-name/:name',
  deleteWorktree: 'DELETE /api/v1/tasks/by-name/:name/worktree',
  getWorktree: 'GET /api/v1/tasks/by-name/:name/worktree',
  getTaskDiff: 'GET /api/v1/tasks/by-name/:name/diff',
  sendTaskInput: 'POST /api/v1/tasks/by-name/:name/user-input',
  getTaskInputs: 'GET /api/v1/tasks/by-name/:name/user-input/status',
  cancelTaskInput: 'DELETE /api/v1/tasks/by-name/:name/user-input/:input',
  getConversation: 'GET /api/v1/tasks/by-name/:name/interactions',
  listGitBranches: 'GET /api/v1/git-branches',
  startRun: 'POST /api/runs',
  listRuns: 'GET /api/runs',
  cleanUpRuns: 'POST /api/runs/cleanup',
  getRun: 'GET /api/runs/:id',
  stopRun: 'POST /api/runs/:id/stop',
  resumeRun: 'POST /api/runs/:id/resume',
  deleteRun: 'DELETE /api/runs/:id',
  sendRunInput: 'POST /api/runs/:id/input',
  getRunPlan: 'GET /api/runs/:id/plan',
  editRunPlan: 'PUT /api/runs/:id/plan',
  acceptRunPlan: 'POST /api/runs/:id/plan/accept',
  getRunInteractions: 'GET /api/runs/:id/interactions',
  getRunChecks: 'GET /api/runs/:id/checks',
  getRunDiff: 'GET /api/runs/:id/diff',
  getRunReport: 'GET /api/runs/:id/report',
  mergeRun: 'POST /api/runs/:id/merge',
  createPrompt: 'POST /api/v1/prompts',
  listPrompts: 'GET /api/v1/prompts',
  updatePrompt: 'PUT /api/v1/prompts/:id',
  deletePrompt: 'DELETE /api/v1/prompts/:id',
  listBudgets: 'GET /api/budgets',
  setBudget: 'PUT /api/budgets',
  raiseBudget: 'POST /api/budgets/:id/raise',
  removeBudget: 'DELETE /api/budgets/:id',
  listQuestionRules: 'GET /api/question-rules',
  setQuestionRule: 'PUT /api/question-rules',
  tryQuestionRule: 'POST /api/question-rules/:id/try',
  switchQuestionRule: 'POST /api/question-rules/:id/switch',
  removeQuestionRule: 'DELETE /api/question-rules/:id',
  getReserve: 'GET /api/reserve',
  setReserve: 'PUT /api/reserve',
  removeReserve: 'DELETE /api/reserve',
  getUsage: 'GET /api/usage',
  getUsageNow: 'GET /api/usage/now',
  listFound: 'GET /api/found',
  usePrompt: 'POST /api/v1/prompts/:id/use',
} as const satisfies { [Name in keyof Contract]?: Line<Name> };

export type EndpointName = keyof typeof ENDPOINTS;

type Responses<Name extends EndpointName> = Contract[Name]['responses'];
export type Answer<Name extends EndpointName> = Responses<Name>[keyof Responses<Name>] extends {
  _zod: { output: infer Output };
}
  ? Output
  : never;
type Body<Name extends EndpointName> = Contract[Name] extends {
  body: { _zod: { input: infer Input } };
}
  ? Input
  : never;

export interface CallOptions<Name extends EndpointName> {
  session?: string;
  /** Id of an inbox item, an alert, a delivery, a person, a prompt, a run or a task module. */
  item?: string;
  /** Task name. */
  task?: string;
  /** Id of an input of the task. */
  input?: string;
  /** Number of a stored snapshot. */
  at?: string;
  query?: Readonly<Record<string, string>>;
  body?: Body<Name>;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** Longer than the slowest answer: a start waits up to 10 s for the agent. */
const TIMEOUT_MS = 20_000;

/** The token is no longer valid, or its role is lower than assumed. */
export type AccessRefusal = 'unauthorized' | 'role_too_low';

export class Rest {
  readonly #token: string | null;
  readonly #onRefused: (code: AccessRefusal) => void;

  constructor(token: string | null, onRefused: (code: AccessRefusal) => void = () => undefined) {
    this.#token = token;
    this.#onRefused = onRefused;
  }

  /** Throws `RequestError`. */
  async call<Name extends EndpointName>(
    name: Name,
    options: CallOptions<Name> = {},
  ): Promise<Answer<Name>> {
    const response = await this.#fetch(name, options);
    if (!response.ok) {
      const error = await RequestError.fromResponse(response);
      if (error.code === 'unauthorized' || error.code === 'role_too_low') {
        this.#onRefused(error.code);
      }
      throw error;
    }
    try {
      return (await response.json()) as Answer<Name>;
    } catch (thrown) {
      throw asRequestError(thrown);
    }
  }

  async #fetch<Name extends EndpointName>(
    name: Name,
    {
      session,
      item,
      task,
      input,
      at,
      query,
      body,
      signal,
      timeoutMs = TIMEOUT_MS,
    }: CallOptions<Name>,
  ): Promise<Response> {
    const [method = 'GET', path = ''] = ENDPOINTS[name].split(' ');
    const url = path
      .replace(':id', encodeURIComponent(session ?? item ?? ''))
      .replace(':name', encodeURIComponent(task ?? ''))
      .replace(':input', encodeURIComponent(input ?? ''))
      .replace(':at', encodeURIComponent(at ?? ''));
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    const headers = new Headers();
    if (this.#token !== null) headers.set('authorization', `Bearer ${this.#token}`);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await fetch(url + search, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        cache: 'no-store',
        credentials: 'omit',
      });
    } catch (thrown) {
      if (signal?.aborted === true) throw thrown;
      throw RequestError.unreachable();
    }
  }
}
