/** What supervisors of an agent in a terminal share. Types only: machines use them. */
import type { AgentKind } from '../../../shared/schema/agent-kind.ts';
import type { AgentState } from '../../../shared/schema/agent-state.ts';
import type { RecoveryFailure } from '../../../shared/schema/loops/auto-events.ts';
import type { Evidence } from '../../../shared/schema/evidence.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { ProcessIdentity } from '../../lib/process-identity.ts';

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
  /** `absent`: no agent is expected. `ending`: it was asked to end, or `announced` that it does. */
  phase: 'absent' | 'launching' | 'working' | 'ending';
  announced: boolean;
}

/**
 * What the agent is seen to be doing. `gone`: its process ended and the shell is in front. `left`:
 * so too, and it said that a person had it leave. `unknown`: no probe could tell in time.
 */
export type AgentSight = 'working' | 'idle' | 'gone' | 'left' | 'unknown';

/** What a running agent waits for, said by its witnesses. */
export interface AgentWait {
  reason: Reason;
  since: string;
  until: string | null;
  evidence: Evidence[];
}

export interface AgentObservation {
  agent: AgentSight;
  /** What is known of the agent; null when nothing is. */
  known: AgentState | null;
  /** Null: it works, or no wait is known. */
  wait: AgentWait | null;
  /** Who sees that this exact agent still runs: nothing is killed on the word of one. */
  witnesses: Evidence[];
}

/** What a screen asks for: an answer that may be given, or why none is. */
export type Asking =
  { lines: string[]; answer: string } | { lines: string[]; failure: RecoveryFailure };

/** A screen at the heartbeat. */
export interface ScreenObservation {
  /** Equal while nothing but clocks and spinners moves. */
  mark: string;
  /** Something else than the agent is in front of the terminal: a person's, and theirs to end. */
  foreign: boolean;
  /** What the agent started computes, so that nothing has to move on the screen. */
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
