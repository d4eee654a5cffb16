import type { FoundEnd, FoundFacts } from '../../shared/schema/agents/found.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Processes } from '../lib/processes/processes.ts';
import type { ListedSession } from './listed-session.ts';

/** `news`: its published facts changed. `seen`: it was read while it works. `last`: published. */
export interface FoundListener {
  news(session: ListedSession): void;
  seen(session: ListedSession): void;
  ended(last: FoundFacts, how: FoundEnd): void;
}

export interface FoundOptions {
  log: EventLog;
  clock: Clock;
  logger: Pick<Log, 'warn'>;
  processes: Pick<Processes, 'list' | 'environment' | 'commandLine'>;
  /** Of the terminals. */
  environment: NodeJS.ProcessEnv;
  listener: FoundListener;
  pollMs: number;
  /** Whether sessions that work in this directory are left alone. */
  isIgnored: (cwd: string) => boolean;
}
