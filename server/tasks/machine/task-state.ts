/**
 * The words of a task's machine: its state, what can happen to it, what it wants done. Types only;
 * `transition.ts` holds the rules and `task-supervisor.ts` acts.
 */
import type { Evidence } from '../../../shared/schema/evidence.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { Completion } from '../../../shared/schema/tasks/task.ts';
import type { TaskStatus } from '../../../shared/schema/tasks/task-status.ts';
import type { Verdict } from '../../checks/model-verdict.ts';
import type { CheckVerdict } from '../../checks/host-check.ts';
import type { Outcome } from '../../supervision/supervised.ts';
import type { StoredTurn, TurnEnd, TurnUsage } from '../../turns/recorded-turn.ts';

/**
 * What is under way. `queued`: it waits for its turn. `ending`: it is over or stopped, and its process
 * may still be there.
 */
export type Stage =
  'none' | 'queued' | 'preparing' | 'talking' | 'judging' | 'testing' | 'waiting' | 'ending';

/** What is said to the agent, and why. */
export interface Message {
  kind:
    /** The description, as the first words of a conversation. */
    | 'start'
    | 'input'
    /** The daemon's words in a person's place. */
    | 'reply'
    /** After a stop, a wait or a failure: go on. */
    | 'continue'
    /** To a new conversation: the description and the end of the old one. */
    | 'digest';
  /** The person's words that go with it. */
  inputId: string | null;
  /** The words themselves where the rules know them. */
  text: string | null;
}

/** One message and the process that takes it; stored before the process is started. */
export interface Turn extends StoredTurn {
  message: Message;
}

export interface Limits {
  iterations: number;
  /** Of output. */
  tokens: number | null;
  costUsd: number | null;
  minutes: number | null;
}

/** What the plan says of the end. */
export interface Rules {
  limits: Limits;
  /** Has criteria for a model to judge. */
  hasCriteria: boolean;
}

export interface TaskWait {
  reason: Reason;
  since: string;
  until: string | null;
  evidence: Evidence[];
}

/** What the last reply of the agent comes to, by rules that stand elsewhere. */
export interface Said {
  text: string;
  /** The line in which the agent says that it is done. */
  claim: string | null;
  /** What to answer, or why only a person can. */
  reply:
    | { kind: 'reply'; text: string }
    | { kind: 'person'; reason: 'permission' | 'question' | 'repeats_itself'; question: string };
}

export interface TaskState {
  status: TaskStatus;
  reason: Reason | null;
  stage: Stage;
  wait: TaskWait | null;
  /** Wall time at which it began to wait for its turn; a person's words go before all of them. */
  queuedAtMs: number | null;
  isUrgent: boolean;
  /** It ran into a limit, and nobody knows yet whether that is over. */
  isLimited: boolean;
  /** Wall time at which a wait is over by itself. */
  dueMs: number | null;
  iterations: number;
  outputTokens: number;
  costUsd: number;
  /** Milliseconds at work, as far as they are stored. */
  activeMs: number;
  /** Of the conversation; null before the first and after a loss. */
  sessionId: string | null;
  /** The agent was told what the task is. */
  isBriefed: boolean;
  turns: number;
  turn: Turn | null;
  /** What to say next when no person says anything. */
  next: Message;
  said: Said | null;
  /** Failures in a row that were tried again. */
  failures: number;
  lostSessions: number;
  claim: { by: 'criteria' | 'agent'; text: string; confidence: number | null } | null;
  completion: Completion | null;
  error: string | null;
  summary: string | null;
  startedAt: string | null;
  completedAt: string | null;
}

export type MachineInput =
  /** A person asks for it: start, resume, retry. */
  | { kind: 'begin'; author: string }
  | { kind: 'recover'; author: string }
  | { kind: 'stop'; author: string }
  /** Everything is forgotten; it begins anew. */
  | { kind: 'clear'; author: string }
  | { kind: 'granted' }
  /** The wall clock was set back. */
  | { kind: 'set_back'; byMs: number }
  | { kind: 'prepared' }
  | { kind: 'prepare_failed'; error: string }
  | { kind: 'input'; interrupt: boolean }
  | { kind: 'spawned'; process: { pid: number; startedAt: string } }
  | { kind: 'heard'; sessionId: string }
  | { kind: 'replied'; said: Said; usage: TurnUsage; summary: string }
  | ({ kind: 'turn_failed' } & Omit<Extract<TurnEnd, { ok: false }>, 'ok'>)
  /** Null: the check gave no answer that can be read. */
  | { kind: 'judged'; verdict: Verdict | null; usage: TurnUsage }
  | ({ kind: 'tested'; commit: string | null } & CheckVerdict)
  /** It comes with a backup: what happened since is not known. */
  | { kind: 'restored' }
  /** The process of a task that ended is gone. */
  | { kind: 'ended' }
  | { kind: 'failed'; error: string }
  | { kind: 'tick' };

export type TaskInput = MachineInput & {
  /** The task's name, for its events. */
  task: string;
  rules: Rules;
  wallMs: number;
  /** Milliseconds at work by now. */
  activeMs: number;
  /** The oldest words of a person that wait. */
  pendingInput: string | null;
  /** For the next turn, if there is one. */
  turnId: string;
};

export interface TaskPolicy {
  /** Pauses after failures that pass, in milliseconds; their number is the limit. */
  errorDelaysMs: readonly number[];
  /** After a reset, and how long to wait where none is told. */
  quotaDelaysMs: readonly number[];
  /** What becomes of a turn that was cut off while the daemon was away. */
  interrupted: 'stop' | 'resume';
}

export type TaskEffect =
  | { kind: 'prepare' }
  /** The turn of the state. */
  | { kind: 'send' }
  | { kind: 'judge' }
  | { kind: 'test' }
  /** Ends the turn so that something else can be said. */
  | { kind: 'interrupt' }
  /** Ends whatever runs; `ended` follows. */
  | { kind: 'end' };

export interface TaskTransition extends Outcome<TaskState, TaskEffect> {
  /** A task ends with its row's deletion, which is no transition. */
  state: TaskState;
  /** Words of a person that were taken into a turn, or are back in the queue, or lost from sight. */
  inputs: { id: string; state: 'sending' | 'delivered' | 'queued' | 'unknown' }[];
}
