/**
 * What found sessions need a person for. Who sits in front of one answers at once, so an item is
 * raised only after the state has lasted, counted from its beginning, also across daemons.
 */
import type { AgentState } from '../../shared/schema/agents/agent-state.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { foundCrash, foundNeed, type Need, workLeft } from './attention-for.ts';
import type { Attention } from './attention.ts';

const WAITING_MS = 2 * 60_000;
const IDLE_MS = 60 * 60_000;

export interface FoundSituation {
  agent: AgentState;
  /** The last part of its project's path. */
  folder: string;
  /** A step of its own list is open. */
  hasWorkLeft: boolean;
}

interface FoundNeedsOptions {
  attention: Pick<Attention, 'require' | 'close' | 'keepFound'>;
  clock: Clock;
  /** Null when the session has ended. */
  situationOf: (id: string) => FoundSituation | null;
}

export class FoundNeeds {
  readonly #options: FoundNeedsOptions;
  readonly #timers = new Map<string, Timer>();

  constructor(options: FoundNeedsOptions) {
    this.#options = options;
  }

  /** After each change of a session. Raises, keeps or clears its item, now or when it is time. */
  observe(id: string): void {
    const { attention, clock, situationOf } = this.#options;
    this.#forget(id);
    const situation = situationOf(id);
    const planned = situation === null ? null : plannedNeed(situation);
    if (situation === null || planned === null) return attention.require(subjectOf(id), null);
    const { need, afterMs } = planned;
    const leftMs = Date.parse(situation.agent.since) + afterMs - clock.now();
    if (leftMs <= 0) return attention.require(subjectOf(id), need);
    attention.require(subjectOf(id), null);
    // A clock that was set back must not make it wait longer.
    const timer = clock.after(Math.min(leftMs, afterMs), () => this.observe(id));
    this.#timers.set(id, timer);
  }

  ended(id: string): void {
    this.#forget(id);
    this.#options.attention.close(subjectOf(id));
  }

  /** It ended without an end of its own while it worked; the item stays until it is dismissed. */
  crashed(id: string, folder: string): void {
    this.#options.attention.require(subjectOf(id), foundCrash(folder));
  }

  /** Closes the items of those that ended while no daemon ran. */
  keep(live: ReadonlySet<string>): void {
    this.#options.attention.keepFound(live);
  }

  dispose(): void {
    for (const id of this.#timers.keys()) this.#forget(id);
  }

  #forget(id: string): void {
    this.#timers.get(id)?.cancel();
    this.#timers.delete(id);
  }
}

/** What a person is needed for once the state has lasted; a null need is decided then. */
function plannedNeed({
  agent,
  folder,
  hasWorkLeft,
}: FoundSituation): { need: Need | null; afterMs: number } | null {
  const need = foundNeed(agent, folder);
  if (need !== null) return { need, afterMs: WAITING_MS };
  if (agent.state !== 'ready' && agent.state !== 'interrupted') return null;
  return { need: hasWorkLeft ? workLeft(folder) : null, afterMs: IDLE_MS };
}

function subjectOf(id: string): Subject {
  return { kind: 'found', id };
}
