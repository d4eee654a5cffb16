/**
 * The words of the auto loop's machine: its state, what can happen to it, what it wants done.
 * Types only; `transition.ts` holds the rules and `loop-supervisor.ts` acts.
 */
import type { AutoSignal, StopFileReason } from '../../shared/auto-signal.ts';
import type { Actor, EventDraft, SignalRejection, StopStep } from '../../shared/events.ts';
import type { LoopStatus } from '../../shared/model.ts';
import type { Reason } from '../../shared/reasons.ts';

export type AgentKind = 'claude' | 'stand-in';

/** A stop that is under way: asked for by somebody, or announced by the agent's `(stop)`. */
export interface Stop {
  reason: Reason;
  by: Actor | 'agent';
  requestedAt: string;
  /** How far the daemon has gone: the stop file, Ctrl-C, the end of the process. */
  step: 'asked' | StopStep;
}

export interface LoopState {
  sessionName: string;
  runId: string;
  agent: AgentKind;
  taskDir: string;
  dirIdentity: string | null;
  status: Exclude<LoopStatus, 'stopped'>;
  maxIterations: number;
  timeoutMinutes: number;
  startedAt: string;

  iteration: number;
  iterationBase: number;
  restartIteration: number;
  countUnknown: boolean;
  lastSignal: Pick<AutoSignal, 'step' | 'result' | 'next' | 'checkpoint'> | null;
  lastSignalAt: string | null;
  signalMark: string;

  launchCount: number;
  restartCount: number;
  /** The process that is the agent; null until it was seen. */
  agentProcess: { pid: number; startedAt: string } | null;

  stop: Stop | null;
  /** Why and since when the loop waits for something. */
  wait: { reason: Reason; since: string } | null;

  /**
   * The loop's own clock in milliseconds: runs while the daemon is down, stands while the machine
   * sleeps. All deadlines are on it, so that no jump of the wall clock can fire or lose one.
   */
  ageMs: number;
  dueMs: number | null;
  quotaWaitTotalMs: number;
  /** On that clock: since when the agent has looked idle while it should end. Not stored. */
  idleSinceMs: number | null;
  error: string | null;

  // Kept for stall recovery, which is not part of the machine yet.
  recoveryCountStep: number;
  recoveryCountTotal: number;
}

/**
 * What the agent is seen to be doing. `gone`: its process ended and the shell is in front. `left`:
 * so too, and it said that a person had it leave.
 */
export type AgentSight = 'working' | 'idle' | 'gone' | 'left';

export type TaskDirSight = 'same' | 'gone' | 'replaced';

export type LoopInput = { ageMs: number; wallMs: number } & (
  | { kind: 'tick' }
  | { kind: 'agent_seen'; process: { pid: number; startedAt: string } }
  | { kind: 'launch_failed'; reason: Reason; error: string }
  | { kind: 'signal'; signal: AutoSignal; suspicious: boolean; mark: string }
  | { kind: 'signal_rejected'; cause: SignalRejection; detail: string; mark: string }
  | { kind: 'look'; agent: AgentSight; taskDir: TaskDirSight; taskStatus: string | null }
  | { kind: 'terminal_gone'; how: 'closed' | 'lost' | 'requested' }
  | { kind: 'stop'; reason: Reason; by: Actor }
  | { kind: 'limits'; maxIterations?: number; timeoutMinutes?: number }
  | { kind: 'abandon'; reason: Reason; error: string }
  | { kind: 'remove' }
);

/** An input before it is stamped with its time. */
export type Happening = LoopInput extends infer Input
  ? Input extends LoopInput
    ? Omit<Input, 'ageMs' | 'wallMs'>
    : never
  : never;

export type LoopEffect =
  | { kind: 'launch'; tag: string }
  | { kind: 'write_stop_file'; reason: StopFileReason }
  | { kind: 'interrupt' }
  | { kind: 'kill' };

export interface Transition {
  /** null: the loop has ended, its row goes. */
  state: LoopState | null;
  events: EventDraft[];
  effects: LoopEffect[];
}

export interface LoopPolicy {
  idleConfirmMs: number;
  stopGraceMs: number;
  killGraceMs: number;
  /** One pause before each restart; its length is the restart limit. */
  restartDelaysMs: readonly number[];
}
