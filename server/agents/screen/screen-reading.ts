/** What one snapshot shows about the agent on it. */
import type { AgentCause, AgentStateName } from '../../../shared/schema/agents/agent-state.ts';

export interface ScreenReading {
  state: AgentStateName;
  cause: AgentCause;
  /** As the client words it, at most 300 characters. */
  detail: string | null;
  /** The text of the time at which it ends on its own. */
  untilText: string | null;
  /** The prompt box: none, empty, or with a person's text in it. */
  box: 'none' | 'empty' | 'draft';
  /** The draft, preceded by the mark of a mode (`!`, `#`); null without one. */
  draft?: string | null;
}

export const NOTHING_READ: ScreenReading = {
  state: 'unknown',
  cause: 'not_understood',
  detail: null,
  untilText: null,
  box: 'none',
};
