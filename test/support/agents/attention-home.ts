/** An inbox on a real database, without a daemon. */
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type {
  AttentionItem,
  AttentionOutcome,
} from '../../../shared/schema/attention/attention.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import { Attention } from '../../../server/attention/attention.ts';
import { AttentionStore } from '../../../server/attention/attention-store.ts';
import type { Database } from '../../../server/db/database.ts';
import type { EventLog } from '../../../server/events/event-log.ts';
import { EventHome } from '../events/event-home.ts';
import type { ManualClock } from '../house/manual-clock.ts';

/** What one event reports about an item. */
export interface ItemEvent {
  type: string;
  session: string | null;
  data: {
    task?: string;
    id: string;
    reason: Reason;
    outcome?: AttentionOutcome;
    by?: string;
    answer?: string;
  };
}

export class AttentionHome {
  readonly errors: unknown[] = [];
  /** The observed state of every agent. */
  agent: AgentState | null = null;
  readonly #home = new EventHome();
  attention: Attention;
  database: Database;

  constructor() {
    ({ attention: this.attention, database: this.database } = this.#open());
  }

  get log(): EventLog {
    const { log } = this.#home;
    if (log === null) throw new Error('no log');
    return log;
  }

  get clock(): ManualClock {
    return this.#home.clock;
  }

  /** As a daemon that restarts after kill -9. */
  restart(): void {
    ({ attention: this.attention, database: this.database } = this.#open());
  }

  open(): AttentionItem[] {
    return this.attention.list({ open: true, limit: 1_000 });
  }

  all(): AttentionItem[] {
    return this.attention.list({ open: false, limit: 1_000 });
  }

  /** Every stored inbox event, oldest first. */
  events(): ItemEvent[] {
    const rows = this.database.raw.prepare(
      "SELECT type, session, data FROM events WHERE type LIKE 'attention.%' ORDER BY seq",
    );
    return (rows.all() as { type: string; session: string | null; data: string }[]).map((row) => ({
      ...row,
      data: JSON.parse(row.data) as ItemEvent['data'],
    }));
  }

  /** The same in short form. */
  words(): string[] {
    return this.events().map(({ type, data: { reason, outcome } }) =>
      outcome === undefined ? `${type} ${reason}` : `${type} ${reason} ${outcome}`,
    );
  }

  [Symbol.dispose](): void {
    this.#home[Symbol.dispose]();
  }

  #open() {
    const { database, log } = this.#home.open();
    const say = (error: unknown) => void this.errors.push(error);
    const attention = new Attention({
      log,
      store: new AttentionStore(database, () => null),
      clock: this.#home.clock,
      probe: async () => Promise.resolve(this.agent),
      probeFound: async () => Promise.resolve(this.agent),
      logger: { info: say, warn: say, error: say },
    });
    attention.recover();
    return { attention, database };
  }
}
