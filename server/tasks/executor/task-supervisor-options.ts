/** What a task needs of the rest of the daemon. */
import type { Conversations } from '../../agents/headless/conversations.ts';
import type { Attention } from '../../attention/attention.ts';
import type { Append, EventLog } from '../../events/event-log.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { QuotaGate } from '../../supervision/quota-gate.ts';
import type { Worktrees } from '../../worktrees/worktrees.ts';
import type { InteractionStore } from '../../turns/interaction-store.ts';
import type { MachineInput, TaskPolicy } from '../machine/task-state.ts';
import type { TaskRecord } from '../stores/task-record.ts';
import type { TaskInputStore } from '../stores/task-input-store.ts';
import type { TaskStore } from '../stores/task-store.ts';
import type { TestCaseStore } from '../stores/test-case-store.ts';

export interface SupervisorOptions {
  log: EventLog;
  store: TaskStore;
  interactions: InteractionStore;
  inputs: TaskInputStore;
  testCases: TestCaseStore;
  conversations: Conversations;
  worktrees: Worktrees;
  attention: Attention;
  clock: Clock;
  logger: Log;
  policy: TaskPolicy;
  /** Where turns, checks and checkouts have their files; private to the daemon. */
  scratch: string;
  /** What commands of the host are run with. */
  environment: NodeJS.ProcessEnv;
  testTimeoutMs: number;
  /** Of the account that loops and tasks share. */
  quota: QuotaGate;
  /** Something of the task is different: the queue looks again. */
  onChanged: () => void;
}

/** What its effects need: the task as it is now, and the way back to its machine. */
export interface EffectOptions extends SupervisorOptions {
  record: () => TaskRecord;
  apply: (input: MachineInput, more?: (append: Append) => void) => void;
  /** For what comes once: it is stored, sooner or later. */
  submit: (input: MachineInput, signal?: AbortSignal) => Promise<void>;
}
