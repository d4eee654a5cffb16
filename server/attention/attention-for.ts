/** What a person is needed for: by the state of an agent, or by what it asks. */
import type { AgentCause, AgentState } from '../../shared/schema/agents/agent-state.ts';
import { asksNothing } from '../../shared/rules/events/client-view.ts';
import { isLimitDialog } from '../../shared/rules/limit-dialog.ts';
import { cut, oneLine, plainText } from '../../shared/rules/text/plain-text.ts';
import { agentText } from '../../shared/words/sessions/agent-text.ts';
import type { AgentRequest, AttentionItem } from '../../shared/schema/attention/attention.ts';
import type { Reason } from '../../shared/schema/reasons.ts';

export type Need = Pick<AttentionItem, 'reason' | 'title' | 'detail'>;

interface Notice {
  reason: Reason;
  title: string;
}

/** What a waiting agent waits for, by its cause. */
const WAITING: Partial<Record<AgentCause, Notice>> = {
  permission: { reason: 'permission', title: 'The agent needs permission' },
  plan: { reason: 'permission', title: 'The agent wants its plan approved' },
  question: { reason: 'question', title: 'The agent asks a question' },
  login: { reason: 'login_needed', title: 'The agent needs a login' },
  trust: { reason: 'trust_needed', title: 'The agent asks to trust the directory' },
  first_run: { reason: 'setup_needed', title: 'The agent shows its first-run screens' },
  settings_warning: { reason: 'settings_warning', title: 'The agent warns about its settings' },
  bypass_warning: {
    reason: 'bypass_warning',
    title: 'The agent asks to run without permission prompts',
  },
  mcp_approval: {
    reason: 'mcp_approval',
    title: 'The agent asks to use a tool server',
  },
};

const DIALOG: Notice = { reason: 'dialog_open', title: 'The agent shows a dialog' };
const LOGGED_OUT: Notice = { reason: 'login_needed', title: 'The agent is not logged in' };
const STOPPED_ON_ERROR: Notice = { reason: 'agent_error', title: 'The agent stopped on an error' };
const CRASHED: Notice = { reason: 'crashed', title: 'The agent crashed or was killed' };
const WORK_LEFT: Notice = { reason: 'work_left', title: 'The agent is idle with work left' };
/** Failed requests that do not recover on their own. */
const PERMANENT: readonly AgentCause[] = [
  'billing',
  'invalid_request',
  'model_not_found',
  'prompt_too_long',
];
const NO_COMMAND: Notice = {
  reason: 'command_missing',
  title: 'The agent does not know the loop command',
};
const UNKNOWN: Notice = {
  reason: 'unknown_screen',
  title: 'The agent state cannot be determined',
};

const UNTESTED: Notice = {
  reason: 'untested_client',
  title: 'The agent’s client is newer than tested: nothing is typed',
};

/** Reasons under which one dialog can be seen. */
const DIALOGS: readonly Reason[] = ['permission', 'question', 'dialog_open', 'unknown_screen'];

const MAX_TITLE = 200;
/** Enough for a person to judge; the whole input is in the request while it can be answered. */
const MAX_DETAIL = 4_000;

/** Null as agent: there is none. Null as need: no person is needed. */
export function attentionFor(agent: AgentState | null): Need | null {
  if (agent === null) return null;
  const notice = isLimitDialog(agent) ? null : noticeFor(agent);
  if (notice !== null) return { ...notice, detail: agent.detail };
  const { careful } = agent;
  if (careful?.cause !== 'untested_version') return null;
  const version = careful.version ?? '';
  return { ...UNTESTED, detail: `Claude Code ${version}; loopwatch client trust ${version}` };
}

/**
 * For a session that Loopwatch did not start, in a folder of that name: nothing continues it after
 * an error. Without lines: they may be text of its transcript, which not everyone may see.
 */
export function foundNeed(agent: AgentState, folder: string): Need | null {
  const notice = noticeFor(agent) ?? (agent.state === 'errored' ? STOPPED_ON_ERROR : null);
  return notice === null ? null : inFolder(notice, folder);
}

export function foundCrash(folder: string): Need {
  return inFolder(CRASHED, folder);
}

/** For one that is idle although a step of its own list is open. */
export function workLeft(folder: string): Need {
  return inFolder(WORK_LEFT, folder);
}

/**
 * For a request of a session that Loopwatch did not start: its title names no tool and no question,
 * because everyone sees it.
 */
export function foundRequestNeed(request: AgentRequest, folder: string): Need {
  const { reason, detail } = requestNeed(request);
  const isPlan = request.tool === 'ExitPlanMode';
  const notice = WAITING[reason === 'question' ? 'question' : isPlan ? 'plan' : 'permission'];
  return { ...inFolder(notice ?? DIALOG, folder), detail };
}

function inFolder({ reason, title }: Notice, folder: string): Need {
  return { reason, title: title.replace(/^The agent/, `The agent in ${folder}`), detail: null };
}

/** For a request that it asks: in the agent's own words. */
export function requestNeed(request: AgentRequest): Need {
  const { tool, questions } = request;
  const [first] = questions;
  if (first !== undefined) {
    const detail = questions.map(({ question }) => question).join('\n');
    return { reason: 'question', title: oneLine(first.question, MAX_TITLE), detail: lines(detail) };
  }
  const subject = Object.values(request.input).find((value) => typeof value === 'string');
  const title = oneLine(`${tool}${subject === undefined ? '' : `: ${subject}`}`, MAX_TITLE);
  const detail = Object.entries(request.input).map(([key, value]) => `${key}: ${written(value)}`);
  return {
    reason: 'permission',
    title,
    detail: detail.length === 0 ? null : lines(detail.join('\n')),
  };
}

/** Whether a request of the agent may be behind this reason. */
export function isDialog(reason: Reason): boolean {
  return DIALOGS.includes(reason);
}

function noticeFor({ state, cause }: AgentState): Notice | null {
  if (cause === 'command_missing') return NO_COMMAND;
  if (asksNothing({ state, cause })) return { ...DIALOG, title: agentText(state, cause) };
  if (state === 'waiting') return WAITING[cause] ?? DIALOG;
  if (state === 'errored' && cause === 'authentication') return LOGGED_OUT;
  if (state === 'errored' && PERMANENT.includes(cause)) return STOPPED_ON_ERROR;
  return state === 'unknown' ? UNKNOWN : null;
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function lines(text: string): string {
  return cut(plainText(text.slice(0, MAX_DETAIL + 1)), MAX_DETAIL);
}
