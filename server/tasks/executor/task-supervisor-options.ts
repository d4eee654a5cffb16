/** What a task needs from the rest of the daemon. */
import type { Conversations } from '../../agents/headless/conversations.ts';
import type { Attention } from '../../attention/attention.ts';
import type { Budgets } from '../../budgets/budgets.ts';
import type { Append, EventLog } from '../../events/event-log.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { QuotaGate } from '../../supervision/quota-gate.ts';
import type { Worktrees } from '../../worktrees/worktrees.ts';
import type { UsageLedger } from '../../usage/usage-ledger.ts';
import type { InteractionStore } from '../../turns/interaction-store.ts';
import type { MachineInput, TaskPolicy } from '../machine/task-state.ts';
import type { TaskRecord } from '../stores/task-record.ts';
import type { TurnInputStore } from '../../turns/turn-input-store.ts';
import type { TaskStore } from '../stores/task-store.ts';
import type { TestCaseStore } from '../stores/test-case-store.ts';

export interface SupervisorOptions {
  log: EventLog;
  store: TaskStore;
  interactions: InteractionStore;
  usage: UsageLedger;
  inputs: TurnInputStore;
  testCases: TestCaseStore;
  conversations: Conversations;
  worktrees: Worktrees;
  attention: Attention;
  clock: Clock;
  logger: Log;
  policy: TaskPolicy;
  /** Holds the files of turns, checks and checkouts; private to the daemon. */
  scratch: string;
  /** Environment of commands run by the host. */
  environment: NodeJS.ProcessEnv;
  testTimeoutMs: number;
  budgets: Budgets;
  /** Of the account that loops and tasks share. */
  quota: QuotaGate;
  /** The task changed: the queue is evaluated again. */
  onChanged: () => void;
}

/** What its effects need: the current task, and the way back to its machine. */
export interface EffectOptions extends SupervisorOptions {
  record: () => TaskRecord;
  apply: (input: MachineInput, more?: (append: Append) => void) => void;
  /** For inputs that come once: stored sooner or later. */
  submit: (input: MachineInput, signal?: AbortSignal) => Promise<void>;
}
