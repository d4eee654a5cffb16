/** The dependencies of an agent watch. */
import type { AgentState } from '../../../shared/schema/agent-state.ts';
import type { AgentRecords } from '../../agents/records/agent-records.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Foreground, ScreenSnapshot } from '../../terminals/terminal.ts';

/** What a watch needs of one session's terminal. */
export interface WatchedTerminal {
  foreground(): Foreground;
  snapshot(): Promise<ScreenSnapshot>;
  /** When it was last written to, in milliseconds since 1970; null when unknown. */
  changedAt(): number | null;
}

export interface AgentWatchOptions {
  terminal: WatchedTerminal;
  records: AgentRecords;
  clock: Clock;
  /** Called on every change of state. */
  changed: (state: AgentState | null) => void;
}
