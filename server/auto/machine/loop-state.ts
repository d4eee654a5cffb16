/**
 * The words of the auto loop's machine: its state, what can happen to it, what it wants done.
 * Types only; `transition.ts` holds the rules and `loop-supervisor.ts` acts.
 */
import type { AgentState } from '../../../shared/agent-state.ts';
import type { AutoSignal, StopFileReason } from '../../../shared/auto-signal.ts';
import type { Delivery } from '../../../shared/delivery.ts';
import type {
  Actor,
  RecoveryCause,
  RecoveryFailure,
  SignalRejection,
  StopStep,
} from '../../../shared/auto-events.ts';
import type { EventDraft } from '../../../shared/events.ts';
import type { Evidence } from '../../../shared/evidence.ts';
import type { LoopStatus } from '../../../shared/model.ts';
import type { Reason } from '../../../shared/reasons.ts';

export type AgentKind = 'claude' | 'stand-in';

/** A stop that is under way: asked for by somebody, or announced by the agent's `(stop)`. */
export interface Stop {
  reason: Reason;
  by: Actor | 'agent';
  /** The name of the person who asked; empty when nobody did, or nobody wrote down who. */
  author: string;
  requestedAt: string;
  /** How far the daemon has gone: the stop file, Ctrl-C, the end of the process. */
  step: 'asked' | StopStep;
  evidence: Evidence[];
}

/** Why and since when a loop waits for something. */
export interface LoopWait {
  reason: Reason;
  since: string;
  /** Told by somebody else, a reset for example. Null: the loop's own `dueMs` says it, or nobody. */
  until: string | null;
  evidence: Evidence[];
}

/** A wait for quota; all ages on the loop's clock. */
export interface QuotaWait {
  sinceMs: number;
  /** Wall time of the reset in milliseconds since 1970, where it is known. */
  untilMs: number | null;
  nudges: number;
  /** A nudge that nothing has followed yet. */
  nudgedAtMs: number | null;
  /** Since when the agent has been at work again; it counts when it lasts. */
  workingSinceMs: number | null;
}

/** What was typed to bring a loop back to work, until it is. */
export interface Recovering {
  cause: RecoveryCause;
  /** Wall time in milliseconds since 1970. */
  sinceWallMs: number;
}

export interface LoopState {
  sessionName: string;
  runId: string;
  /** The name of the person who started it; empty for a row of before names. */
  startedBy: string;
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
  wait: LoopWait | null;

  /**
   * The loop's own clock in milliseconds: runs while the daemon is down, stands while the machine
   * sleeps. All deadlines are on it, so that no jump of the wall clock can fire or lose one.
   */
  ageMs: number;
  dueMs: number | null;
  quota: QuotaWait | null;
  /** All waits for quota that are over. */
  quotaWaitTotalMs: number;
  error: string | null;

  /** Recoveries tried since the iteration count last grew, and in all. */
  recoveryCountStep: number;
  recoveryCountTotal: number;

  // Not stored: it starts afresh with every daemon.
  /** On that clock: since when the agent has looked idle while it should end. */
  idleSinceMs: number | null;
  /** The last picture without what moves by itself, since when it shows, how often it was seen again. */
  picture: { mark: string; sinceMs: number; seenMs: number; repeats: number } | null;
  recovering: Recovering | null;
}

/**
 * What the agent is seen to be doing. `gone`: its process ended and the shell is in front. `left`:
 * so too, and it said that a person had it leave. `unknown`: who could tell failed or did not answer.
 */
export type AgentSight = 'working' | 'idle' | 'gone' | 'left' | 'unknown';

/** `unknown`: the file system did not answer in time. */
export type TaskDirSight = 'same' | 'gone' | 'replaced' | 'unknown';

/** What a running agent waits for, said by its witnesses. */
export type AgentWait = Pick<LoopWait, 'reason' | 'since' | 'until' | 'evidence'>;

/** What a picture asks for: an answer that may be given, or why none is. */
export type Asking =
  { lines: string[]; answer: string } | { lines: string[]; failure: RecoveryFailure };

/** A look at a loop's agent and directory. */
export interface LookInput {
  kind: 'look';
  agent: AgentSight;
  taskDir: TaskDirSight;
  taskStatus: string | null;
  /** What is known of the agent; null when nothing is. */
  known: AgentState | null;
  /** What it waits for, or null: it works, or nobody knows of a wait. */
  wait: AgentWait | null;
  /** Who sees that this very agent still runs: nothing is killed on the word of one. */
  witnesses: Evidence[];
  /** It is this loop's turn among all that wait for quota. */
  turn: boolean;
}

/** A picture at the heartbeat. */
export interface PictureInput {
  kind: 'picture';
  /** Equal while nothing but clocks and spinners moves. */
  mark: string;
  /** Something else than the agent is in front of the terminal: a person's, and theirs to end. */
  foreign: boolean;
  /** What the agent started computes, so that nothing has to move on the screen. */
  busy: boolean;
  asking: Asking;
}

export type LoopInput = { ageMs: number; wallMs: number } & (
  | { kind: 'tick' }
  | { kind: 'agent_seen'; process: { pid: number; startedAt: string } }
  | { kind: 'launch_failed'; reason: Reason; error: string }
  | { kind: 'signal'; signal: AutoSignal; suspicious: boolean; mark: string }
  | { kind: 'signal_rejected'; cause: SignalRejection; detail: string; mark: string }
  | LookInput
  | PictureInput
  | { kind: 'typed'; cause: RecoveryCause; delivery: Delivery; detail: string | null }
  | { kind: 'terminal_gone'; how: 'closed' | 'lost' | 'requested' }
  | { kind: 'stop_file_failed'; detail: string }
  /** Every process of the run was ended; `error` says what is left of it, null when nothing is. */
  | { kind: 'run_ended'; error: string | null }
  | { kind: 'stop'; reason: Reason; by: Actor; author?: string }
  | { kind: 'limits'; maxIterations?: number; timeoutMinutes?: number; author?: string }
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
  /** Ends every process of the run, wherever it moved; answered by `run_ended`. */
  | { kind: 'end_run' }
  /** Types an answer and Enter, now or not at all; `asking` must still stand there. */
  | { kind: 'type'; cause: RecoveryCause; answer: string; asking: string[] };

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
  heartbeatMs: number;
  /** So many equal pictures after the first are a stall. */
  stallCaptures: number;
  /** After the reset the client gets the first of these to go on by itself; then one pause per nudge. */
  quotaDelaysMs: readonly number[];
  /** Before an agent that gave up on a failed request is told to go on: by how often it was, already. */
  errorDelaysMs: readonly number[];
}
