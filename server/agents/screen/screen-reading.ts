/** What one look at a screen says about the agent on it. */
import type { AgentCause, AgentStateName } from '../../../shared/schema/agent-state.ts';

export interface ScreenReading {
  state: AgentStateName;
  cause: AgentCause;
  /** The client's own words for it, at most 300 characters. */
  detail: string | null;
  /** The words for the time at which it ends by itself. */
  untilText: string | null;
  /** The prompt box: is there one, and do a person's words stand in it. */
  box: 'none' | 'empty' | 'draft';
  /** The draft, with the mark of a mode (`!`, `#`) before it; null without one. */
  draft?: string | null;
}

export const NOTHING_READ: ScreenReading = {
  state: 'unknown',
  cause: 'not_understood',
  detail: null,
  untilText: null,
  box: 'none',
};
