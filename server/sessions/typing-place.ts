/** What typing works with: the terminals, and what is known of the programs in front of them. */
import type { TypeOutcome, TypeRequest } from '../terminals/terminal.ts';
import type { FrontProgram } from './program.ts';
import type { Receiver } from './receipt.ts';

/** The terminals, as far as typing goes. */
export interface TypingPlace {
  /** Nothing else types into the session while `act` runs. */
  exclusively<Result>(session: string, act: () => Promise<Result>): Promise<Result>;
  type(session: string, request: TypeRequest): Promise<TypeOutcome>;
}

export interface TypingWitness {
  /** The program in front by the process table alone, at once; null when the terminal is gone. */
  program(session: string): FrontProgram | null;
  /** Looks afresh: what is in front, its prompt box, and what it has confirmed so far. */
  receiver(session: string): Promise<Receiver>;
}
