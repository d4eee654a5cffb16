/**
 * What is known of an agent that is watched, from every witness. All times are milliseconds on the
 * machine's own clock. Starts fresh with every daemon: what was seen before may be over.
 */
import type { BudgetHold } from '../../budgets/budgeted-work.ts';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { StatusLine } from './status-line.ts';

export interface Signs {
  /** Null while no agent is in the foreground, or none was seen yet. */
  agent: AgentState | null;
  /** Work next to the turn: counts of subagents, shells, teammates. */
  background: { subagents: number; shells: number; teammates: number };
  /**
   * The last visible work: of the screen, or of the agent's state. `isOver`: the client itself said
   * since that its turn is over.
   */
  work: { atMs: number; line: string; isOver: boolean } | null;
  /** The last new text. */
  outputAtMs: number;
  /** The last count, and since when it has not changed. */
  tokens: { count: number; sinceMs: number } | null;
  completion: { atMs: number; line: string } | null;
  /** What a hook reported since the last turn began. */
  hook: { kind: 'stop' | 'idle'; atMs: number } | null;
  /** The idle check said IDLE, and nothing was drawn since. */
  verdict: { atMs: number; reasoning: string } | null;
  /** A question that a person has to answer, until one has or a new turn begins. */
  asked: { atMs: number; line: string; byHook: boolean } | null;
  /** The menu at the end of the output. */
  menu: readonly string[] | null;
  /** Text came since the start or the last accepted plan. */
  hasNewOutput: boolean;
  /** Used share of the context, 0 to 100; null when unknown. */
  contextPercent: number | null;
  /** Why no prompt may be sent; null when a prompt may be sent. */
  budget: BudgetHold | null;
  /** Counted since respawn was started; they only grow. Null when they cannot be determined. */
  tree: { commits: number; files: number } | null;
  /** The person who has the keys of the terminal; null without one. */
  keys: string | null;
  /** The shared quota lets this session try now. */
  mayTry: boolean;
  /** An open request of the client to approve a plan, which can be answered without a key. */
  planRequest: string | null;
  /** How the agent's last message ended, until its next turn begins. */
  reported: StatusLine | null;
}

export function freshSigns(nowMs: number): Signs {
  return {
    agent: null,
    background: { subagents: 0, shells: 0, teammates: 0 },
    work: null,
    outputAtMs: nowMs,
    tokens: null,
    completion: null,
    hook: null,
    verdict: null,
    asked: null,
    menu: null,
    hasNewOutput: false,
    contextPercent: null,
    budget: null,
    tree: null,
    keys: null,
    mayTry: true,
    planRequest: null,
    reported: null,
  };
}
