/**
 * The types of a run's machine: its state, inputs and effects. `transition.ts` holds the rules and
 * `run-supervisor.ts` acts.
 */
import type { BudgetHold } from '../../budgets/budgeted-work.ts';
import type { EvidenceWitness } from '../../../shared/schema/events/evidence.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { RunPhase, WorkPhase } from '../../../shared/schema/runs/run-phase.ts';
import type { RunRound } from '../../../shared/schema/runs/run.ts';
import type { StartRun } from '../../../shared/schema/runs/run-requests.ts';
import type { CheckVerdict } from '../../checks/host-check.ts';
import type { HeldClaim } from '../../claims/claim-port.ts';
import type { ClaimInput } from '../../claims/claimed-work.ts';
import type { ContextLimits, ContextUse } from '../../supervision/context-step.ts';
import type { Outcome } from '../../supervision/supervised.ts';
import type { StoredTurn } from '../../turns/recorded-turn.ts';
import type { TurnEnd } from '../../turns/turn-owner.ts';

/** What is sent to the agent, and why. */
export type Message = { inputId: string | null } & (
  | {
      kind:
        /** Opens a visit of the phase. */
        | 'open'
        /** A person's input alone. */
        | 'input'
        /** After a stop, a wait or a failure. */
        | 'continue'
        /** Asks the reviewer for the verdict alone. */
        | 'verdict'
        /** A command of the client that shortens the conversation. */
        | 'compact';
    }
  /** Opens a new conversation in place of an earlier one; `text` is what would have been sent. */
  | { kind: 'digest'; text?: string }
  /** The daemon's answer in a person's place. */
  | { kind: 'reply'; text: string }
);

/** One message and the process that takes it; stored before the process is started. */
export interface RunTurn extends StoredTurn {
  phase: WorkPhase;
  message: Message;
}

/** How a run ended. */
export interface RunResult {
  status: 'done' | 'failed' | 'stopped';
  reason: Reason;
  error: string | null;
}

/** What it does now. What cannot be at the same time is in different members. */
export type Now =
  | { stage: 'queued'; sinceMs: number; isUrgent: boolean }
  | { stage: 'preparing' }
  | { stage: 'talking'; turn: RunTurn }
  | { stage: 'checking' }
  /** Complete; `turn` is the last one, whose process may not have ended. */
  | { stage: 'merging'; turn: RunTurn | null }
  /** `dueMs`: wall time at which it ends on its own; null: only a person ends it. */
  | {
      stage: 'waiting';
      reason: Reason;
      sinceMs: number;
      dueMs: number | null;
      witness: EvidenceWitness;
      lines: string[];
    }
  /** Its processes are being ended. */
  | { stage: 'ending'; result: RunResult; turn: RunTurn | null }
  | { stage: 'over'; result: RunResult };

export interface Spend {
  activeMs: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
  turns: number;
}

export interface RunState {
  phase: RunPhase;
  /** When it was entered last. */
  phaseSince: string;
  /** Fix rounds begun. */
  iteration: number;
  now: Now;
  /** The next message when there is no input of a person. */
  next: Message;
  /** Of each phase; null before the first turn and after a loss. */
  conversations: Record<WorkPhase, string | null>;
  /** How full they are; absent where that is not known. */
  contexts?: Partial<Record<WorkPhase, ContextUse>>;
  spent: Record<WorkPhase, Spend>;
  /** Milliseconds at work, as stored. */
  activeMs: number;
  /** The phase of each turn, the first one first. */
  turns: WorkPhase[];
  /** It ran into a limit of the account, and whether that is over is unknown. */
  isLimited: boolean;
  /** Consecutive retried failures. */
  failures: number;
  lostConversations: number;
  hasPlan: boolean;
  rounds: RunRound[];
  /** What the newest check found changed since the branch began, by file; null without git. */
  changes: string | null;
  /** One for each failed round, oldest first. */
  signatures: string[];
  /** Failed rounds in a row whose work did not differ from the round before. */
  unchangedRounds: number;
  /** Rounds and signatures before these were forgiven by a person who resumed it. */
  forgiven: { rounds: number; signatures: number };
  /** The reviewer's verdict line carries it; new for each visit of the review. */
  nonce: string;
  proof: 'proven' | 'unproven' | 'refuted' | null;
  /** Calls that the permissions refused, the first ones; absent before there is one. */
  denied?: readonly string[];
  /** In a person's words. */
  stopReason: string | null;
  hasReport: boolean;
  mergedInto: string | null;
  /** Why it was not merged as requested; absent before that. */
  notMerged?: string | null;
  startedAt: string;
  completedAt: string | null;
  /** On remote branches, which one host at a time may work on; absent: not asked for. */
  claims?: HeldClaim[] | null;
}

export interface Verdict {
  verdict: 'pass' | 'fail' | 'unclear';
  findings: string;
}

/** What the last reply of the agent means, by rules defined elsewhere. */
export interface ParsedReply {
  text: string;
  /** In the plan phase. */
  plan: string;
  /** In the review phase; `signature` stands for its findings. */
  review: Verdict & { signature: string };
  /** What to do about a question at its end; null when there is none. */
  question:
    | { kind: 'reply'; text: string }
    | { kind: 'person'; reason: 'permission' | 'question' | 'repeats_itself'; question: string }
    | null;
}

export type MachineInput =
  | {
      kind: 'resume';
      author: string;
      fromPhase: WorkPhase | null;
      /** Events delivered again, by phase. */
      redelivered: Record<WorkPhase, number>;
    }
  | { kind: 'stop'; author: string; reason: string | null }
  | { kind: 'granted' }
  | ClaimInput
  /** A budget was changed: what waits for one may continue. */
  | { kind: 'budget_changed' }
  | { kind: 'set_back'; byMs: number }
  | { kind: 'prepared' }
  | { kind: 'prepare_failed'; error: string }
  | { kind: 'input'; interrupt: boolean }
  | { kind: 'plan_accepted'; author: string }
  | { kind: 'spawned'; process: { pid: number; startedAt: string } }
  | { kind: 'heard'; conversationId: string }
  | ({ kind: 'replied'; said: ParsedReply } & Pick<TurnEnd, 'usage' | 'denied' | 'context'>)
  | ({ kind: 'turn_failed' } & Omit<Extract<TurnEnd, { ok: false }>, 'ok'>)
  | ({
      kind: 'checked';
      commit: string | null;
      changed: boolean;
      changes: string | null;
      signature: string;
    } & CheckVerdict)
  /** The record came from a backup: what happened since is unknown. */
  | { kind: 'restored' }
  /** Its processes no longer run. */
  | { kind: 'ended' }
  | { kind: 'failed'; error: string }
  | { kind: 'reported' }
  /** Without an author, as it was started for. */
  | { kind: 'merged'; into: string; commit: string; author?: string }
  | { kind: 'not_merged'; why: string }
  | { kind: 'tick' };

export type RunInput = MachineInput & {
  run: string;
  options: StartRun;
  wallMs: number;
  /** Milliseconds at work so far. */
  activeMs: number;
  /** Id of a person's oldest waiting input. */
  pendingInput: string | null;
  /** Why no turn may be sent now. */
  budget: BudgetHold | null;
  /** For the next turn, if there is one. */
  turnId: string;
};

export interface RunPolicy {
  /** Pauses after temporary failures, in milliseconds; their number is the limit. */
  errorDelaysMs: readonly number[];
  /** After a reset, and how long to wait where none is known. */
  quotaDelaysMs: readonly number[];
  context: ContextLimits;
}

export type RunEffect =
  | { kind: 'prepare' }
  /** Sends the turn of the state. */
  | { kind: 'send' }
  /** Runs the checks of the host. */
  | { kind: 'check' }
  /** Ends the turn so that another message can be sent. */
  | { kind: 'interrupt' }
  /** Merges the work into the branch it was started for; `merged` or `not_merged` follows. */
  | { kind: 'merge' }
  /** Ends everything that runs; `ended` follows. */
  | { kind: 'end' }
  /** Writes the agent's plan to its file. */
  | { kind: 'write_plan' }
  /** `reported` follows. */
  | { kind: 'report' };

export interface RunTransition extends Outcome<RunState, RunEffect> {
  /** Never null: a run ends when its row is deleted, which is no transition. */
  state: RunState;
  /** The agent's new plan, to be stored with it. */
  plan: string | null;
  /** Inputs of people that were taken into a turn, are back in the queue, or are unknown. */
  inputs: { id: string; state: 'sending' | 'delivered' | 'queued' | 'unknown' }[];
}
