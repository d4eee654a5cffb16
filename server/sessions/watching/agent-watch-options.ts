/** The dependencies of an agent watch. */
import type { AgentState, Careful } from '../../../shared/schema/agents/agent-state.ts';
import type { AgentRecords } from '../../agents/records/agent-records.ts';
import type { StatusLine } from '../../agents/records/status-line.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ProcessIdentity } from '../../lib/processes/process-identity.ts';
import type { Foreground, ScreenSnapshot } from '../../terminals/terminal.ts';

/** What a watch needs of one session's terminal. */
export interface WatchedTerminal {
  foreground(): Foreground;
  snapshot(): Promise<ScreenSnapshot>;
  /** When it was last written to, in milliseconds since 1970; null when unknown. */
  changedAt(): number | null;
}

/** The agent in the foreground, as its last probe found it. */
export interface ProbedAgent {
  process: ProcessIdentity;
  /** Null where no record and no hook names it. */
  conversation: string | null;
  statusLine: StatusLine | null;
}

export interface AgentWatchOptions {
  terminal: WatchedTerminal;
  records: AgentRecords;
  clock: Clock;
  /** Why nothing may be typed into a client of that version; null: it may. */
  careful: (version: string | null) => Careful | null;
  /** Called on every change of state. */
  changed: (state: AgentState | null) => void;
  /** Called after every probe of an agent. */
  probed?: (agent: ProbedAgent) => void;
}
