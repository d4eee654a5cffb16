/** The dependencies of the outbox. */
import type { EventLog } from '../../events/event-log.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { InputStore } from './input-store.ts';
import type { TypingTarget, TypingProbe } from './type-input.ts';

export interface OutboxOptions {
  log: EventLog;
  store: InputStore;
  place: TypingTarget;
  witness: TypingProbe;
  clock: Clock;
  logger: Log;
  /** Milliseconds since a person last typed into the terminal by hand, or null. */
  sinceTyped: (session: string) => number | null;
}
