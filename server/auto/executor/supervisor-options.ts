/** What a loop's supervisor works with. */
import type { Agents } from '../../agents/agents.ts';
import type { LaunchFiles } from '../../agents/launch/launch-files.ts';
import type { TranscriptFiles } from '../../agents/records/transcript-files.ts';
import type { Attention } from '../../attention/attention.ts';
import type { Budgets } from '../../budgets/budgets.ts';
import type { EventLog } from '../../events/event-log.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Processes } from '../../lib/processes/processes.ts';
import type { Log } from '../../lib/log.ts';
import type { AgentMonitor } from '../../sessions/watching/agent-monitor.ts';
import type { Outbox } from '../../sessions/typing/outbox.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { QuotaGate } from '../../supervision/quota-gate.ts';
import type { AutoStore } from '../stores/auto-store.ts';
import type { ReadDirectory } from '../directory/directory-probe.ts';
import type { CheckTools } from './loop-check.ts';
import type { LoopSettings } from '../loop-settings.ts';

export interface SupervisorOptions extends LoopSettings {
  log: EventLog;
  store: AutoStore;
  sessions: Sessions;
  monitor: AgentMonitor;
  agents: Agents;
  attention: Attention;
  outbox: Outbox;
  budgets: Budgets;
  /** Enters what the agent of that session has used so far, before its next step is decided. */
  readUsage: (session: string) => void;
  /** Of the account of the loop's agent. */
  quota: QuotaGate;
  launchFiles: LaunchFiles;
  /** Of the clients in the terminals. */
  transcripts: TranscriptFiles;
  /** For the end of a loop. */
  check: CheckTools;
  processes: Processes;
  /** Must not block the daemon on a file system that does not answer. */
  readDirectory: ReadDirectory;
  clock: Clock;
  logger: Log;
  /** Called once, when the loop has ended and its row is removed. */
  /** It failed, and its row says why. */
  onFailed: () => void;
  onEnded: () => void;
}
