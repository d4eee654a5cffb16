/** What the log says about found sessions: each appears, changes and ends once, also across daemons. */
import { type FoundEnd, FoundFacts } from '../../shared/schema/found.ts';
import type { EventLog } from '../events/event-log.ts';
import { isNews } from './found-session.ts';

export class Published {
  readonly #log: EventLog;
  readonly #open = new Map<string, FoundFacts>();
  /** Of sessions whose end is not published yet. */
  readonly #ends = new Map<string, FoundEnd>();

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Those that had not ended when the last daemon did. */
  recover(): void {
    for (const { type, data } of this.#log.newestOfKind('found')) {
      const { success, data: facts } = FoundFacts.safeParse(JSON.parse(data));
      if (success && type !== 'found.ended') this.#open.set(facts.found, facts);
    }
  }

  /** True when that was news. Throws storage errors with nothing changed. */
  announce(facts: FoundFacts): boolean {
    const before = this.#open.get(facts.found);
    if (before !== undefined && !isNews(before, facts)) return false;
    const type = before === undefined ? 'found.appeared' : 'found.changed';
    this.#log.write((append) => append({ type, data: facts }));
    this.#open.set(facts.found, facts);
    return true;
  }

  /** How a session ended that `endOthers` is about to publish; one it knows nothing of has exited. */
  noteEnd(id: string, how: FoundEnd): void {
    this.#ends.set(id, how);
  }

  /** Publishes the end of all but the live ones. After a storage error, call it again. */
  endOthers(live: ReadonlySet<string>, ended: (facts: FoundFacts, how: FoundEnd) => void): void {
    for (const [id, facts] of [...this.#open]) {
      if (live.has(id)) continue;
      const how = this.#ends.get(id) ?? 'exited';
      this.#log.write((append) => append({ type: 'found.ended', data: { ...facts, how } }));
      this.#open.delete(id);
      ended(facts, how);
    }
    this.#ends.clear();
  }
}
