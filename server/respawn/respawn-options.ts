/** What the shell of respawn works with. */
import type { ModelOptions } from '../agents/headless/ask-model.ts';
import type { Attention } from '../attention/attention.ts';
import type { Budgets } from '../budgets/budgets.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Attachments } from '../sessions/showing/attachments.ts';
import type { Displays } from '../sessions/showing/displays.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Outbox } from '../sessions/typing/outbox.ts';
import type { AgentMonitor } from '../sessions/watching/agent-monitor.ts';
import type { QuotaGate } from '../supervision/quota-gate.ts';
import type { Git } from '../worktrees/git/git.ts';
import type { RespawnStore } from './respawn-store.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';

export interface RespawnOptions {
  sessions: Sessions;
  monitor: AgentMonitor;
  displays: Displays;
  attachments: Attachments;
  outbox: Outbox;
  attention: Attention;
  /** Of the account that loops, tasks and respawn share. */
  quota: QuotaGate;
  store: RespawnStore;
  log: EventLog;
  clock: Clock;
  logger: Log;
  git: Pick<Git, 'find'>;
  /** For the idle check and the plan check. */
  models: Omit<ModelOptions, 'timeoutMs' | 'model'>;
  usage: UsageLedger;
  budgets: Budgets;
}
