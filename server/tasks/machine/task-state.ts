/**
 * The types of a task's machine: its state, inputs and effects. `transition.ts` holds the rules and
 * `task-supervisor.ts` acts.
 */
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { Completion } from '../../../shared/schema/tasks/task.ts';
import type { TaskStatus } from '../../../shared/schema/tasks/task-status.ts';
import type { BudgetHold } from '../../budgets/budgeted-work.ts';
import type { Verdict } from '../../checks/model-verdict.ts';
import type { CheckVerdict } from '../../checks/host-check.ts';
import type { HeldClaim } from '../../claims/claim-port.ts';
import type { ClaimInput } from '../../claims/claimed-work.ts';
import type { TurnContext } from '../../agents/headless/turn-outcome.ts';
import type { ContextLimits, ContextUse } from '../../supervision/context-step.ts';
import type { Outcome } from '../../supervision/supervised.ts';
import type { Only } from '../../supervision/only.ts';
import type { Progress, RoundTrace } from '../../supervision/no-progress.ts';
import type { StoredTurn } from '../../turns/recorded-turn.ts';
import type { TurnEnd, TurnUsage } from '../../turns/turn-owner.ts';

/** What is sent to the agent, and why. */
export interface Message {
  kind:
    /** The description, opening a conversation. */
    | 'start'
    | 'input'
    /** The daemon's answer in a person's place. */
    | 'reply'
    /** After a stop, a wait or a failure: continue. */
    | 'continue'
    /** To a new conversation: the description, what was done, and the end of the old one. */
    | 'digest'
    /** A command of the client that shortens the conversation. */
    | 'compact';
  /** A person's input that goes with it. */
  inputId: string | null;
  /** The text itself where the rules know it; in a digest, what would have been sent. */
  text: string | null;
  /** With a digest: the work so far, as the host finds it. */
  done?: string;
}

/** One message and the process that takes it; stored before the process is started. */
export interface Turn extends StoredTurn {
  message: Message;
}

export interface Limits {
  iterations: number;
  /** Output tokens. */
  tokens: number | null;
  costUsd: number | null;
  minutes: number | null;
}

/** What the plan defines about the end. */
export interface Rules {
  limits: Limits;
  /** Turns in a row without progress; null: as the policy says. */
  noProgressTurns: number | null;
  /** Has criteria for a model to judge. */
  hasCriteria: boolean;
}

export interface TaskWait {
  reason: Reason;
  since: string;
  until: string | null;
  evidence: Evidence[];
}

/** What the last reply of the agent means, by rules defined elsewhere. */
export interface ParsedReply {
  text: string;
  /** The line in which the agent claims to be done. */
  claim: string | null;
  /** The reply, or why only a person can answer. */
  reply:
    | { kind: 'reply'; text: string }
    | { kind: 'person'; reason: 'permission' | 'question' | 'repeats_itself'; question: string };
}

/** What is known in only some of its stages. */
interface Parts {
  wait: TaskWait;
  /** Wall time at which a wait ends on its own. */
  dueMs: number;
  /** Wall time at which it was queued; a person's input goes before all of them. */
  queuedAtMs: number;
}

export type EndStatus = Extract<TaskStatus, 'COMPLETED' | 'FAILED' | 'STOPPED' | 'EXHAUSTED'>;

/** What is under way, and the status that people see. */
export type Now =
  | ({ stage: 'none'; status: 'PENDING' | EndStatus } & Only<Parts>)
  /** Waits for a slot. */
  | ({ stage: 'queued'; status: 'PENDING' | 'PAUSED' } & Only<Parts, 'queuedAtMs'>)
  /** `measuring`: what the last turn changed is read before the next one. */
  | ({ stage: 'preparing' | 'talking' | 'judging' | 'measuring'; status: 'RUNNING' } & Only<Parts>)
  | ({ stage: 'testing'; status: 'TESTING' } & Only<Parts>)
  | ({ stage: 'waiting'; status: 'PAUSED' } & Only<Parts, 'wait', 'dueMs'>)
  /** It is over or stopped, and its process may still be there. */
  | ({ stage: 'ending'; status: EndStatus } & Only<Parts>);

/** No part: a stage is this, and what it has. */
export const NOTHING = { wait: null, dueMs: null, queuedAtMs: null } as const;

export type TaskState = TaskFacts & Now;

/** What a task keeps through all of its stages. */
export interface TaskFacts {
  reason: Reason | null;
  isUrgent: boolean;
  /** It ran into a limit, and whether that is over is unknown. */
  isLimited: boolean;
  iterations: number;
  outputTokens: number;
  costUsd: number;
  /** Milliseconds at work, as stored. */
  activeMs: number;
  /** Of the conversation; null before the first and after a loss. */
  conversationId: string | null;
  context: ContextUse;
  /** The agent has received the task description. */
  isBriefed: boolean;
  turns: number;
  turn: Turn | null;
  /** The next message when there is no input of a person. */
  next: Message;
  said: ParsedReply | null;
  /** Its budget was used up before the last reply was judged. */
  isUnjudged: boolean;
  /** Consecutive retried failures. */
  failures: number;
  lostConversations: number;
  /** Of the turns since a person last did something; null before the first is measured. */
  progress: Progress | null;
  claim: { by: 'criteria' | 'agent'; text: string; confidence: number | null } | null;
  /** Why the criteria were not met when they were judged last; null before, and once they are. */
  unmet: string | null;
  completion: Completion | null;
  error: string | null;
  summary: string | null;
  startedAt: string | null;
  completedAt: string | null;
  /** On remote branches, which one host at a time may work on; null: not asked for. */
  claims: HeldClaim[] | null;
}

export type MachineInput =
  /** A person's request: start, resume, retry. */
  | { kind: 'begin'; author: string }
  | { kind: 'recover'; author: string }
  | { kind: 'stop'; author: string }
  /** Forgets everything and starts over. */
  | { kind: 'clear'; author: string }
  | { kind: 'granted' }
  | ClaimInput
  /** A budget was changed: what waits for one may continue. */
  | { kind: 'budget_changed' }
  /** The wall clock was set back. */
  | { kind: 'set_back'; byMs: number }
  /** `done`: the work so far, where a new conversation takes it over. */
  | { kind: 'prepared'; done?: string }
  | { kind: 'prepare_failed'; error: string }
  | { kind: 'input'; interrupt: boolean }
  | { kind: 'spawned'; process: { pid: number; startedAt: string } }
  | { kind: 'heard'; conversationId: string }
  | {
      kind: 'replied';
      said: ParsedReply;
      usage: TurnUsage;
      summary: string;
      context?: TurnContext;
    }
  | ({ kind: 'turn_failed' } & Omit<Extract<TurnEnd, { ok: false }>, 'ok'>)
  /** Null: the check gave no readable answer. */
  | {
      kind: 'judged';
      verdict: Verdict | null;
      usage: Pick<TurnUsage, 'outputTokens' | 'costUsd'>;
    }
  | { kind: 'measured'; trace: RoundTrace | null }
  | ({ kind: 'tested'; commit: string | null } & CheckVerdict)
  /** The record came from a backup: what happened since is unknown. */
  | { kind: 'restored' }
  /** The process of a task that ended no longer runs. */
  | { kind: 'ended' }
  | { kind: 'failed'; error: string }
  | { kind: 'tick' };

export type TaskInput = MachineInput & {
  /** The task's name, for its events. */
  task: string;
  rules: Rules;
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

export interface TaskPolicy {
  /** Pauses after temporary failures, in milliseconds; their number is the limit. */
  errorDelaysMs: readonly number[];
  /** After a reset, and how long to wait where none is known. */
  quotaDelaysMs: readonly number[];
  /** What happens to a turn that was cut off while the daemon was away. */
  interrupted: 'stop' | 'resume';
  /** Turns in a row without progress after which a person is asked, in tasks that name none; 0 is never. */
  noProgressTurns: number;
  context: ContextLimits;
}

export type TaskEffect =
  | { kind: 'prepare' }
  /** Sends the turn of the state. */
  | { kind: 'send' }
  | { kind: 'judge' }
  /** Reads what the last turn changed; `measured` follows. */
  | { kind: 'measure' }
  | { kind: 'test' }
  /** Ends the turn so that another message can be sent. */
  | { kind: 'interrupt' }
  /** Ends everything that runs; `ended` follows. */
  | { kind: 'end' };

export interface TaskTransition extends Outcome<TaskState, TaskEffect> {
  /** Never null: a task ends when its row is deleted, which is no transition. */
  state: TaskState;
  /** Inputs of people that were taken into a turn, are back in the queue, or may be lost. */
  inputs: { id: string; state: 'sending' | 'delivered' | 'queued' | 'unknown' }[];
}
