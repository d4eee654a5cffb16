/** What the outbox works with. */
import type { EventLog } from '../events/event-log.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { TypeOutcome, TypeRequest } from '../terminals/terminal.ts';
import type { InputStore } from './input-store.ts';
import type { InFront } from './may-type.ts';

/** The terminals, as far as typing goes. */
export interface TypingPlace {
  /** Nothing else types into the session while `act` runs. */
  exclusively<Result>(session: string, act: () => Promise<Result>): Promise<Result>;
  type(session: string, request: TypeRequest): Promise<TypeOutcome>;
}

/** What is known of the agent in a session. */
export interface TypingWitness {
  /** Looks afresh, the prompt box included. */
  inFront(session: string): Promise<InFront>;
  /** Prompts and pictures so far: differs once the agent has taken what was typed. */
  takenMark(session: string): Promise<string | null>;
}

export interface OutboxOptions {
  log: EventLog;
  store: InputStore;
  place: TypingPlace;
  witness: TypingWitness;
  clock: Clock;
  logger: Log;
  /** Milliseconds since a person last typed into the terminal by hand, or null. */
  sinceTyped: (session: string) => number | null;
}
