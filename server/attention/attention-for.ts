import type { AgentCause, AgentState } from '../../shared/schema/agent-state.ts';
import { asksNothing } from '../../shared/rules/client-view.ts';
import { agentText } from '../../shared/words/agent-text.ts';
import type { AttentionItem } from '../../shared/schema/attention.ts';
import type { Reason } from '../../shared/schema/reasons.ts';

/** What a person is needed for. */
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

/** Reasons under which one dialog can be seen. */
const DIALOGS: readonly Reason[] = ['permission', 'question', 'dialog_open', 'unknown_screen'];

/** Null as agent: there is none. Null as need: no person is needed. */
export function attentionFor(agent: AgentState | null): Need | null {
  const notice = agent === null ? null : noticeFor(agent);
  return agent === null || notice === null ? null : { ...notice, detail: agent.detail };
}

/**
 * For a session that Loopwatch did not start, in a folder of that name. Without lines: they may be
 * text of its transcript, which not everyone may see.
 */
export function foundNeed(agent: AgentState, folder: string): Need | null {
  const notice = noticeFor(agent);
  if (notice === null) return null;
  const title = notice.title.replace(/^The agent/, `The agent in ${folder}`);
  return { ...notice, title, detail: null };
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
