/**
 * The tiles of work that changes with every event. An unchanged tile stays the same object, and
 * so does the list if all tiles do: only changes are rendered again.
 */
import type { LiveWork } from '$lib/state/live-work.ts';
import { keyOfHost } from '$lib/state/host-path.ts';
import { lastSettled } from '$lib/state/inbox.ts';
import type { AttentionItem } from '$shared/schema/attention/attention.ts';
import type { LoopEvent } from '$shared/words/events/describe-loop-event.ts';
import type { Session } from '$shared/schema/model.ts';
import type { PastLoop } from '$shared/schema/loops/past-loop.ts';
import { areSameItems } from '../same-items.ts';
import type { Tile } from './tile.ts';

const NONE: readonly AttentionItem[] = [];
const NO_LOOPS: ReadonlyMap<string, PastLoop> = new Map();

export class TileMemory {
  #list: readonly Tile[] = [];
  #byName = new Map<string, Tile>();
  readonly #host: string | null;

  /** `host`: another host than that of the page. */
  constructor(host: string | null = null) {
    this.#host = host;
  }

  /** Sorted by name. `ended`: the last loop of each session, if it ended recently. */
  list(work: LiveWork, ended = NO_LOOPS): readonly Tile[] {
    const items = itemsBySession(work);
    const ends = endsBySession(work);
    const names = new Set([
      ...Object.keys(work.sessions),
      ...Object.keys(work.loops),
      // A demo that was removed is gone.
      ...[...ended].flatMap(([name, { agent }]) => (agent === 'stand-in' ? [] : [name])),
    ]);
    const settled = lastSettled(work.inbox);
    const list = [...names].sort().map((name): Tile => {
      const reading = work.loops[name] ?? null;
      const session = work.sessions[name] ?? null;
      return this.#keep({
        kind: 'session',
        key: keyOfHost(this.#host, name),
        host: this.#host,
        name,
        session,
        reading,
        items: items.get(name) ?? NONE,
        settled: settled?.session === name ? settled : null,
        end: reading === null ? (ends.get(name) ?? null) : null,
        past: reading === null ? pastOf(ended.get(name), session) : null,
      });
    });
    if (isSameList(list, this.#list)) return this.#list;
    this.#byName = new Map(list.map((tile) => [tile.name, tile]));
    return (this.#list = list);
  }

  /** The previous object if nothing changed. */
  #keep(tile: Tile): Tile {
    const before = this.#byName.get(tile.name);
    if (before === undefined) return tile;
    const isSame =
      before.session === tile.session &&
      before.reading === tile.reading &&
      before.settled === tile.settled &&
      before.end === tile.end &&
      before.past === tile.past &&
      areSameItems(before.items, tile.items);
    return isSame ? before : tile;
  }
}

function isSameList(a: readonly Tile[], b: readonly Tile[]): boolean {
  return a.length === b.length && a.every((tile, index) => tile === b[index]);
}

/** A session of the same name that was opened later has nothing to do with the loop. */
function pastOf(past: PastLoop | undefined, session: Session | null): PastLoop | null {
  if (past?.ended_at == null) return null;
  return session !== null && session.created_at > past.ended_at ? null : past;
}

function itemsBySession({ inbox }: LiveWork): Map<string, AttentionItem[]> {
  const found = new Map<string, AttentionItem[]>();
  for (const item of inbox.open) {
    if (item.session === null) continue;
    found.set(item.session, [...(found.get(item.session) ?? []), item]);
  }
  return found;
}

/** Events are newest first, so the first one found is the latest. */
function endsBySession({ events }: LiveWork): Map<string, LoopEvent> {
  const found = new Map<string, LoopEvent>();
  for (const event of events) {
    if (event.type !== 'auto.ended' || event.session === undefined) continue;
    if (!found.has(event.session)) found.set(event.session, event);
  }
  return found;
}
