/** What the watch of one agent works with. */
import type { AgentState } from '../../../shared/schema/agent-state.ts';
import type { AgentRecords } from '../../agents/records/agent-records.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Foreground, ScreenSnapshot } from '../../terminals/terminal.ts';

/** The terminal of one session, as far as looking goes. */
export interface WatchedTerminal {
  foreground(): Foreground;
  snapshot(): Promise<ScreenSnapshot>;
  /** When it was last written to, in milliseconds since 1970; null when nobody can tell. */
  changedAt(): number | null;
}

export interface AgentWatchOptions {
  terminal: WatchedTerminal;
  records: AgentRecords;
  clock: Clock;
  /** Told of every change of state. */
  changed: (state: AgentState | null) => void;
}
