/**
 * The types of the respawn machine: its state, its inputs, its effects. Types
 * only. All times in `…Ms` are milliseconds on the machine's own clock, which stops while it is
 * paused and while no daemon runs: a deadline keeps what was left of it.
 */
import type { BudgetHold } from '../../budgets/budgeted-work.ts';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import type { RespawnConfig } from '../../../shared/schema/loops/respawn.ts';
import type {
  ActiveState,
  CycleOutcome,
  RespawnBlock,
  RespawnCheck,
  RespawnStep,
} from '../../../shared/rules/respawn/respawn-names.ts';
import type { TIMERS_OF } from '../../../shared/rules/respawn/respawn-timers.ts';
import type { CheckerState } from '../checker/checker-state.ts';
import type { OutputSigns } from '../detection/output-reader.ts';
import type { Signs } from '../detection/signs.ts';
import type { Outcome } from '../../supervision/supervised.ts';

/** Counted since the run began; null where that is not possible. */
export interface Counts {
  commits: number | null;
  files: number | null;
  tokens: number | null;
}

export interface OpenCycle {
  number: number;
  startedAt: string;
  startedMs: number;
  steps: { step: RespawnStep; seconds: number }[];
  skipped: RespawnStep[];
  atStart: Counts;
  /** After `update`, whose notes are no progress. */
  afterUpdate: Counts | null;
}

/** A cycle whose steps are over. What it led to is counted until the next one begins. */
export interface PastCycle extends OpenCycle {
  endedAt: string;
  endedMs: number;
  outcome: CycleOutcome;
  changed: Counts;
  /** Null until it is judged, when the next cycle would begin. */
  progress: boolean | null;
}

/** What each state knows besides its timers. Who is in no cycle has none. */
interface Knows {
  watching: { planCheck: string | null };
  confirming_idle: { signMs: number; isReported: boolean };
  ai_checking: { check: string };
  sending_update: Sending;
  waiting_update: Waiting;
  sending_clear: Sending;
  waiting_clear: Waiting;
  sending_init: Sending;
  waiting_init: Waiting;
  monitoring_init: { cycle: OpenCycle };
  sending_kickstart: Sending;
  waiting_kickstart: Waiting;
}

interface Sending {
  cycle: OpenCycle;
  /** The input on its way; null before it was handed over. */
  input: string | null;
}

interface Waiting {
  cycle: OpenCycle;
  sentMs: number;
}

type Timers<State extends ActiveState> = {
  [Timer in (typeof TIMERS_OF)[State][number]]: number | null;
};

/** A visit of a state with exactly its timers; null is one that does not run. */
export type Visit<State extends ActiveState = ActiveState> = {
  [Name in State]: {
    status: Name;
    sinceMs: number;
    sinceAt: string;
    /** The warning that it may be stuck was given. */
    isWarned: boolean;
    due: Timers<Name>;
  } & Knows[Name];
}[State];

export interface Stopped {
  status: 'stopped';
  /** Null before its first start. */
  at: string | null;
  /** `restore`: its row came from a backup, which gives no right to type. */
  by: 'person' | 'clock' | 'config' | 'restore' | null;
  author: string | null;
}

export type Breaker =
  | { status: 'closed' | 'half_open'; misses: number }
  | { status: 'open'; misses: number; untilMs: number };

export interface Action {
  at: string;
  action: string;
  detail: string;
}

export interface Block {
  reason: RespawnBlock;
  since: string;
  until: string | null;
  evidence: Evidence[];
}

/** From a start to its stop. */
export interface Run {
  startedMs: number;
  startedAt: string;
  startedBy: string;
  /** Where the shell's clock stood when it was paused; null while it runs. */
  pausedAtMs: number | null;
  /** End of a timed run. */
  endsMs: number | null;
  /** The daemon was restarted: nothing is sent before. */
  graceEndsMs: number | null;
  signs: Signs;
  block: Block | null;
  /** Recoveries from being stuck since a cycle last completed. */
  recoveries: number;
  /** `limited`: and it is not known whether that is over. `tried`: its result is awaited. */
  quota: 'free' | 'limited' | 'tried';
}

/** What survives a stop. */
export interface Kept {
  session: string;
  config: RespawnConfig;
  /** How far the machine's clock is behind the shell's: all pauses. */
  behindMs: number;
  runs: number;
  /** Begun since the first start. */
  cycles: number;
  /** A text that was handed over, and nothing is known yet of its fate: it may still arrive. */
  pending: string | null;
  /** Newest first. */
  recent: PastCycle[];
  actions: Action[];
  checks: number;
  idleChecker: CheckerState;
  planChecker: CheckerState;
  breaker: Breaker;
  /** How long the agent continued after it had seemed done, newest last. */
  settled: number[];
}

export type RespawnState = Kept & ({ run: null; visit: Stopped } | { run: Run; visit: Visit });

export interface AgentInput {
  kind: 'agent';
  agent: AgentState | null;
  background: Signs['background'];
  contextPercent: number | null;
  tree: Signs['tree'];
  keys: string | null;
  mayTry: boolean;
  /** Why no prompt may be sent; null when a prompt may be sent. */
  budget: BudgetHold | null;
  planRequest: string | null;
  reported: Signs['reported'];
}

export type CheckResult =
  | { verdict: 'IDLE' | 'WORKING' | 'PLAN_MODE' | 'NOT_PLAN_MODE'; reasoning: string }
  | { error: string };

export type UnstampedInput =
  | {
      kind: 'start';
      author: string;
      minutes: number | null;
      config?: RespawnConfig;
      /** An agent is in the foreground. */
      hasAgent: boolean;
    }
  | { kind: 'stop'; author: string }
  | { kind: 'pause'; author: string }
  | { kind: 'resume'; author: string }
  | { kind: 'configured'; config: RespawnConfig; author: string }
  /** Turns a checker on again that was switched off after errors. */
  | { kind: 'enable_check'; check: RespawnCheck }
  | AgentInput
  | { kind: 'output'; signs: OutputSigns }
  /** `asked`: a question for a person is open. `answered`, `prompt`: it is over. */
  | { kind: 'hook'; hook: 'stop' | 'idle' | 'asked' | 'answered' | 'prompt' }
  | { kind: 'verdict'; check: string; result: CheckResult }
  | {
      kind: 'delivery';
      input: string;
      delivery: 'delivered' | 'typed' | 'failed' | 'unknown';
      detail: string | null;
    }
  /** `mayRetry`: nothing was pressed or answered. */
  | { kind: 'accepted'; via: 'hook' | 'key'; error: string | null; mayRetry: boolean }
  /** A deadline of the machine has passed. */
  | { kind: 'due' }
  /** The daemon was started again. */
  | { kind: 'restored' }
  /** Its row came from a backup. */
  | { kind: 'from_backup' }
  /** The session is closed, or belongs to something else. */
  | { kind: 'owner_gone'; detail: string };

/** `clockMs`: the supervisor's clock, which stops while no daemon runs. */
export type RespawnInput = UnstampedInput & { clockMs: number; wallMs: number };

export type RespawnEffect =
  /** At most once for an `input`, which is its name for the outbox. */
  | { kind: 'submit'; input: string; step: RespawnStep; text: string }
  /** Cancels a text that is not typed yet; the outbox reports its delivery. */
  | { kind: 'withdraw'; input: string }
  /** After a restart: report its delivery; `failed` when the outbox never had it. */
  | { kind: 'find_delivery'; input: string }
  | { kind: 'ask'; check: RespawnCheck; id: string }
  | { kind: 'drop_check'; id: string }
  /** Answers the client's request; null presses Enter. `accepted` follows. */
  | { kind: 'accept_plan'; request: string | null };

export type RespawnTransition = Outcome<RespawnState, RespawnEffect>;
