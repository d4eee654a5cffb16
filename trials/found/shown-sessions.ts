/** What the daemon publishes of found sessions, with the moment each change was there to be seen. */
import { setTimeout as pause } from 'node:timers/promises';
import { FoundFacts } from '../../shared/schema/agents/found.ts';
import type { EventRecord } from '../../shared/schema/events/events.ts';
import type { Daemon } from '../daemon.ts';

const POLL_EVERY_MS = 25;
const TYPES = 'found.appeared,found.changed,found.ended';

export interface Shown {
  atMs: number;
  /** As its page says: the state with its cause, `gone` after the end. */
  words: string;
  /** `exited`, `killed` or `ignored`; null while it is listed. */
  how: string | null;
}

export class ShownSessions {
  readonly #daemon: Daemon;
  readonly #ended: AbortSignal;
  readonly #shown = new Map<number, Shown[]>();
  #after = 0;

  constructor(daemon: Daemon, ended: AbortSignal) {
    this.#daemon = daemon;
    this.#ended = ended;
  }

  /** Reads events, no list: to ask for the list would make the daemon look. */
  async follow(): Promise<void> {
    while (!this.#ended.aborted) {
      await this.#read().catch(() => undefined);
      await pause(POLL_EVERY_MS);
    }
  }

  /** Of the process with this pid, oldest first. */
  of(pid: number): readonly Shown[] {
    return this.#shown.get(pid) ?? [];
  }

  /** The pids of all that are listed now. */
  get listed(): number[] {
    return [...this.#shown].flatMap(([pid, all]) => (all.at(-1)?.how === null ? [pid] : []));
  }

  async #read(): Promise<void> {
    const query = `after=${this.#after}&limit=1000&types=${TYPES}`;
    const { events } = await this.#daemon.send('GET', `/api/events?${query}`);
    for (const { seq, type, data } of events as EventRecord[]) {
      this.#after = seq;
      const facts = FoundFacts.parse(data);
      const pid = Number.parseInt(facts.found, 10);
      const { state, cause } = facts.agent;
      const how = type === 'found.ended' && 'how' in data ? data.how : null;
      const words =
        how === null ? [state, cause].filter((word) => word !== 'none').join(' ') : 'gone';
      const all = this.#shown.get(pid) ?? [];
      if (all.at(-1)?.words !== words) all.push({ atMs: performance.now(), words, how });
      this.#shown.set(pid, all);
    }
  }
}
