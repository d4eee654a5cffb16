/** Types shared by supervisors of an agent in a terminal. Types only: machines use them. */
import type { AgentKind } from '../../../shared/schema/agents/agent-kind.ts';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { RecoveryFailure } from '../../../shared/schema/loops/auto-events.ts';
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { ProcessIdentity } from '../../lib/processes/process-identity.ts';

/** An agent as its supervisor stored it. */
export interface TerminalAgent {
  sessionName: string;
  /** Names the hook files and the mark in the environment of everything it starts. */
  runId: string;
  agent: AgentKind;
  /** From 1; together with `runId` the tag of a launch. */
  launchCount: number;
  /** Null until it was seen. */
  process: ProcessIdentity | null;
  /** `absent`: no agent is expected. `ending`: it was asked to end, or `announced` its end. */
  phase: 'absent' | 'launching' | 'working' | 'ending';
  announced: boolean;
}

/**
 * What the agent is observed doing. `gone`: its process ended and the shell is in the foreground.
 * `left`: the same, and it reported that a person exited it. `unknown`: no probe answered in time.
 */
export type ObservedStatus = 'working' | 'idle' | 'gone' | 'left' | 'unknown';

/** What a running agent waits for, reported by its witnesses. */
export interface AgentWait {
  reason: Reason;
  since: string;
  until: string | null;
  evidence: Evidence[];
}

export interface AgentObservation {
  agent: ObservedStatus;
  /** What is known about the agent; null when nothing is. */
  known: AgentState | null;
  /** Null: it works, or no wait is known. */
  wait: AgentWait | null;
  /** Who confirms that this exact agent still runs: nothing is killed on the word of one. */
  witnesses: Evidence[];
  /** What a `gone` agent left on its terminal, above the shell's prompt; empty if not readable. */
  lastRows: string[];
}

/** The question on a screen: an answer that may be given, or why none is. */
export type Asking =
  { lines: string[]; answer: string } | { lines: string[]; failure: RecoveryFailure };

/** A screen at the heartbeat. */
export interface ScreenObservation {
  /** Equal while only clocks and spinners move. */
  mark: string;
  /** Something other than the agent is in the foreground: a person's, and theirs to end. */
  foreign: boolean;
  /** Processes started by the agent are computing, so that nothing has to move on the screen. */
  busy: boolean;
  asking: Asking;
}

/** The tag of its newest launch. */
export function tagOf({
  runId,
  launchCount,
}: Pick<TerminalAgent, 'runId' | 'launchCount'>): string {
  return `${runId}.${launchCount}`;
}
