/** What the log says about found sessions: each appears, changes and ends once, also across daemons. */
import { type FoundEnd, FoundFacts } from '../../shared/schema/agents/found.ts';
import type { FoundOptions } from './found-options.ts';
import { isNews } from './found-session.ts';
import type { ListedSession } from './listed-session.ts';

export class Published {
  readonly #options: Pick<FoundOptions, 'log' | 'logger' | 'listener'>;
  readonly #open = new Map<string, FoundFacts>();
  /** Of sessions whose end is not published yet. */
  readonly #ends = new Map<string, FoundEnd>();

  constructor(options: Pick<FoundOptions, 'log' | 'logger' | 'listener'>) {
    this.#options = options;
  }

  /** Those that had not ended when the last daemon did. */
  recover(): void {
    for (const { type, data } of this.#options.log.newestOfKind('found')) {
      const { success, data: facts } = FoundFacts.safeParse(JSON.parse(data));
      if (success && type !== 'found.ended') this.#open.set(facts.found, facts);
    }
  }

  /** False when it could not be stored, with nothing changed. */
  publish(session: ListedSession): boolean {
    const { listener, logger } = this.#options;
    try {
      if (this.#announce(session.facts())) listener.news(session);
      else if (session.isAtWork) listener.seen(session);
      return true;
    } catch (error) {
      logger.warn({ err: error, found: session.id }, 'cannot store a found session');
      return false;
    }
  }

  /** How a session ended that `endOthers` is about to publish; one it knows nothing of has exited. */
  noteEnd(id: string, how: FoundEnd): void {
    this.#ends.set(id, how);
  }

  /** Publishes the end of all but the live ones. What cannot be stored is stored by the next call. */
  endOthers(live: readonly ListedSession[]): void {
    const ids = new Set(live.map(({ id }) => id));
    const { log, listener, logger } = this.#options;
    try {
      for (const [id, facts] of [...this.#open]) {
        if (ids.has(id)) continue;
        const how = this.#ends.get(id) ?? 'exited';
        log.write((append) => append({ type: 'found.ended', data: { ...facts, how } }));
        this.#open.delete(id);
        listener.ended(facts, how);
      }
      this.#ends.clear();
    } catch (error) {
      logger.warn({ err: error }, 'cannot store the end of a found session');
    }
  }

  /** True when that was news. Throws storage errors with nothing changed. */
  #announce(facts: FoundFacts): boolean {
    const before = this.#open.get(facts.found);
    if (before !== undefined && !isNews(before, facts)) return false;
    const type = before === undefined ? 'found.appeared' : 'found.changed';
    this.#options.log.write((append) => append({ type, data: facts }));
    this.#open.set(facts.found, facts);
    return true;
  }
}
