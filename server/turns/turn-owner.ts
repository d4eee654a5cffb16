/** Who a turn belongs to, and what it learns of the turn. */
import type { EventDraft } from '../../shared/schema/events/events.ts';
import type { Interaction } from '../../shared/schema/tasks/interaction.ts';
import type { Delivery, TurnContext, TurnError } from '../agents/headless/turn-outcome.ts';
import type { Append } from '../events/event-log.ts';
import type { ProcessIdentity } from '../lib/processes/process-identity.ts';
import type { Work } from '../usage/usage-entry.ts';

export interface TurnUsage {
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
}

/**
 * How a turn ended. `lost`: no daemon ran, and its end was not observed. `denied` are the calls that
 * the permissions of the client refused, absent where it reports none; `context` is absent where
 * nothing is known of it.
 */
export type TurnEnd = {
  usage: TurnUsage;
  denied?: readonly string[];
  context?: TurnContext;
} & (
  | { ok: true; text: string }
  | {
      ok: false;
      error: TurnError | 'lost';
      heard: Delivery;
      detail: string;
      /** Wall time at which a limit ends, in milliseconds since 1970, where it is known. */
      until: number | null;
    }
);

/**
 * The owner of the turn. Each report is stored in one transaction with what `record` writes; a
 * report that throws comes again.
 */
export interface TurnOwner {
  /** Key of the interaction rows. */
  id: string;
  /** What its usage counts for. */
  work: Work;
  interactionEvent: (interaction: Interaction) => EventDraft;
  spawned: (process: ProcessIdentity) => void;
  heard: (conversationId: string, record: (append: Append) => void) => void;
  ended: (end: TurnEnd, record: (append: Append) => void) => void;
}
