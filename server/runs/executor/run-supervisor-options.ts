/** What a run needs from the rest of the daemon. */
import type { Conversations } from '../../agents/headless/conversations.ts';
import type { Attention } from '../../attention/attention.ts';
import type { Budgets } from '../../budgets/budgets.ts';
import type { Append, EventLog } from '../../events/event-log.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { QuotaGate } from '../../supervision/quota-gate.ts';
import type { InteractionStore } from '../../turns/interaction-store.ts';
import type { TurnInputStore } from '../../turns/turn-input-store.ts';
import type { UsageLedger } from '../../usage/usage-ledger.ts';
import type { Worktrees } from '../../worktrees/worktrees.ts';
import type { MachineInput, RunPolicy } from '../machine/run-state.ts';
import type { RunCheckStore } from '../stores/run-check-store.ts';
import type { RunRecord } from '../stores/run-record.ts';
import type { RunStore } from '../stores/run-store.ts';

export interface SupervisorOptions {
  log: EventLog;
  store: RunStore;
  checks: RunCheckStore;
  interactions: InteractionStore;
  inputs: TurnInputStore;
  usage: UsageLedger;
  conversations: Conversations;
  worktrees: Worktrees;
  attention: Attention;
  clock: Clock;
  logger: Log;
  policy: RunPolicy;
  /** Of the daemon: the files of sessions are below it. */
  home: string;
  /** Holds the files of turns; private to the daemon. */
  scratch: string;
  /** Environment of commands run by the host. */
  environment: NodeJS.ProcessEnv;
  testTimeoutMs: number;
  budgets: Budgets;
  /** Of the account that all supervisors share. */
  quota: QuotaGate;
  /** The run changed: the queue is evaluated again. */
  onChanged: () => void;
}

/** What its effects need: the current run, and the way back to its machine. */
export interface EffectOptions extends SupervisorOptions {
  record: () => RunRecord;
  apply: (input: MachineInput, more?: (append: Append) => void) => void;
  /** For inputs that come once: stored sooner or later. */
  submit: (input: MachineInput, signal?: AbortSignal) => Promise<void>;
}
