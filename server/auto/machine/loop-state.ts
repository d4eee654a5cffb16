/**
 * The types of the auto loop's machine: its state and effects. `transition.ts` holds the rules and
 * `loop-supervisor.ts` acts.
 */
import type { AgentKind } from '../../../shared/schema/agents/agent-kind.ts';
import type { AutoSignal, StopFileReason } from '../../../shared/schema/loops/auto-signal.ts';
import type { Actor, RecoveryCause, StopStep } from '../../../shared/schema/loops/auto-events.ts';
import type { StopCheck } from '../../../shared/schema/loops/loop-check.ts';
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import type { LoopPermissions } from '../../../shared/schema/loops/loop-permissions.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { Only } from '../../supervision/only.ts';
import type { Progress } from '../../supervision/no-progress.ts';
import type { Outcome } from '../../supervision/supervised.ts';

/** A stop that is under way: requested, or announced by the agent's `(stop)`. */
export interface Stop {
  reason: Reason;
  by: Actor | 'agent';
  /** The name of the person who asked; empty when it was not a person, or none was recorded. */
  author: string;
  requestedAt: string;
  /** How far the daemon has escalated: the stop file, Ctrl-C, the end of the process. */
  step: 'asked' | StopStep;
  evidence: Evidence[];
}

/** Why and since when a loop waits for something. */
export interface LoopWait {
  reason: Reason;
  since: string;
  /**
   * Set by another party, such as a quota reset. Null: the loop's own `dueMs` decides, or nothing
   * does.
   */
  until: string | null;
  evidence: Evidence[];
}

/** A wait for quota; all ages are on the loop's clock. */
export interface QuotaWait {
  sinceMs: number;
  /** Wall time of the reset in milliseconds since 1970, where it is known. */
  untilMs: number | null;
  nudges: number;
  /** A nudge without an effect so far. */
  nudgedAtMs: number | null;
  /** Since when the agent has been at work again; it counts once it lasts. */
  workingSinceMs: number | null;
}

/** A wait for quota in which nothing was tried yet. */
export const UNANSWERED = { nudges: 0, nudgedAtMs: null, workingSinceMs: null } as const;

/** What was typed to bring a loop back to work, until it works. */
export interface Recovering {
  cause: RecoveryCause;
  /** Wall time in milliseconds since 1970. */
  sinceWallMs: number;
}

/** What is known in only some of its states. */
interface Parts {
  stop: Stop;
  /** The announced end is being checked; `failed` is what is being sent back to the agent. */
  check: { failed: Evidence[] | null };
  wait: LoopWait;
  /** On the loop's clock: when it acts on its own. */
  dueMs: number;
  quota: QuotaWait;
  /**
   * The client's dialog about the limit: how often it was left in this wait, and when last, on the
   * loop's clock and as wall time.
   */
  dialogLeft: { times: number; atMs: number; wallMs: number };
  /** Not stored. On the loop's clock: since when the agent has appeared idle while it should end. */
  idleSinceMs: number;
  /** Not stored. */
  recovering: Recovering;
}

/** What a loop does now. */
export type Now =
  | ({ status: 'starting' } & Only<Parts>)
  /** `dueMs`: the retry after a failed request. */
  | ({ status: 'running' } & Only<Parts, never, 'wait' | 'dueMs' | 'recovering'>)
  /** `dueMs`: the next nudge; null: there is none left. */
  | ({ status: 'quota_wait' } & Only<Parts, 'quota' | 'wait', 'dueMs' | 'dialogLeft'>)
  | ({ status: 'restart_wait' } & Only<Parts, 'wait' | 'dueMs'>)
  /** `dueMs`: the next harder step; null while the agent ends on its own. */
  | ({ status: 'stopping' } & Only<Parts, 'stop' | 'wait', 'dueMs' | 'check' | 'idleSinceMs'>)
  /** `wait`: it starts again on its own. */
  | ({ status: 'failed' } & Only<Parts, 'stop', 'wait'>);

/** No part: a state is this, and what it has. */
export const NOTHING = {
  stop: null,
  check: null,
  wait: null,
  dueMs: null,
  quota: null,
  dialogLeft: null,
  idleSinceMs: null,
  recovering: null,
} as const;

export type LoopState = LoopFacts & Now;

export type StateIn<Status extends LoopState['status']> = Extract<LoopState, { status: Status }>;

/** What a loop keeps through all of its states. */
export interface LoopFacts {
  sessionName: string;
  runId: string;
  /** The name of the person who started it; empty for rows from before names were recorded. */
  startedBy: string;
  agent: AgentKind;
  taskDir: string;
  dirIdentity: string | null;
  /** Null in rows from before it was recorded, until the status changes. */
  statusSince: string | null;
  maxIterations: number;
  timeoutMinutes: number;
  /** What each start of its agent is given; null: nothing, the agent has its own. */
  permissions: LoopPermissions | null;
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
  /** The agent's process; null until it was seen. */
  agentProcess: { pid: number; startedAt: string } | null;

  /** How often failed checks were sent back to the agent. */
  sentBack: number;

  /**
   * The loop's own clock in milliseconds: runs while the daemon is down, pauses while the machine
   * sleeps. All deadlines are on it, so that no jump of the wall clock can fire or lose one.
   */
  ageMs: number;
  /** All finished waits for quota. */
  quotaWaitTotalMs: number;
  error: string | null;

  /** What its reports left behind so far; null before the first was measured. */
  progress: Progress | null;
  /** Recoveries tried since the iteration count last grew, and in total. */
  recoveryCountStep: number;
  recoveryCountTotal: number;

  /**
   * Not stored: it starts empty with every daemon. The last snapshot without its moving parts, since when it shows, how often it was seen again.
   */
  snapshot: { mark: string; sinceMs: number; seenMs: number; repeats: number } | null;
}

export type LoopEffect =
  | { kind: 'launch'; tag: string }
  | { kind: 'write_stop_file'; reason: StopFileReason }
  | { kind: 'interrupt' }
  /** Runs the checks of the task; answered by `check_begun` and `checked`. */
  | { kind: 'check' }
  | { kind: 'cancel_check' }
  /** Measures what the last report left behind; answered by `measured`. */
  | { kind: 'measure' }
  /** Types failed checks into the idle agent; answered by `typed`. */
  | { kind: 'send_back'; text: string }
  /** Ends every process of the run, wherever it moved; answered by `run_ended`. */
  | { kind: 'end_run' }
  /** Leaves the client's dialog about a usage limit, if it is still open. */
  | { kind: 'leave_limit_dialog' }
  /** Types an answer and Enter, now or not at all; the screen must still show `asking`. */
  | { kind: 'type'; cause: RecoveryCause; answer: string; asking: string[] };

export type Transition = Outcome<LoopState, LoopEffect>;

export interface LoopPolicy {
  idleConfirmMs: number;
  stopGraceMs: number;
  killGraceMs: number;
  /** One pause before each restart; its length is the restart limit. */
  restartDelaysMs: readonly number[];
  heartbeatMs: number;
  stopCheck: StopCheck;
  /** This many reports in a row without progress end the loop; 0: none do. */
  noProgressSignals: number;
  /** This many equal snapshots after the first are a stall. */
  stallCaptures: number;
  /**
   * After the reset, the first is the client's time to continue on its own; then one pause per
   * nudge.
   */
  quotaDelaysMs: readonly number[];
  /** Before an agent that stopped on a failed request is nudged, by the number of nudges so far. */
  errorDelaysMs: readonly number[];
}
