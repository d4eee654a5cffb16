/**
 * The tiles of all tasks and runs. An unchanged one stays the same object, and so does the list if
 * all do: only changes are rendered again.
 */
import type { AttentionItem } from '$shared/schema/attention/attention.ts';
import type { RunSummary } from '$shared/schema/runs/run.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import { areSameItems } from '../same-items.ts';
import { runTile, taskTile, type WorkTile } from './work-tile.ts';

interface Known {
  readonly source: Task | RunSummary;
  readonly tile: WorkTile;
}

const NONE: readonly AttentionItem[] = [];

export class WorkMemory {
  #known = new Map<string, Known>();
  #list: readonly WorkTile[] = [];
  readonly #host: string | null;

  /** `host`: another host than that of the page. */
  constructor(host: string | null = null) {
    this.#host = host;
  }

  /** Sorted by name. What ended before `since` (milliseconds) and needs no person is left out. */
  list(
    tasks: readonly Task[],
    runs: readonly RunSummary[],
    open: readonly AttentionItem[],
    since: number,
  ): readonly WorkTile[] {
    const items = itemsByWork(open);
    const known = new Map<string, Known>();
    const keep = <Source extends Task | RunSummary>(
      key: string,
      source: Source,
      make: (source: Source, items: readonly AttentionItem[], host: string | null) => WorkTile,
    ): void => {
      const own = items.get(key) ?? NONE;
      const before = this.#known.get(key);
      const hasSameItems = before !== undefined && areSameItems(before.tile.items, own);
      if (hasSameItems && before.source === source) {
        known.set(key, before);
        return;
      }
      // Tasks and runs are read as a whole: the same ones come as new objects.
      const tile = make(source, hasSameItems ? before.tile.items : own, this.#host);
      const isSame = hasSameItems && JSON.stringify(tile) === JSON.stringify(before.tile);
      known.set(key, { source, tile: isSame ? before.tile : tile });
    };
    for (const task of tasks) keep(`task:${task.task_name}`, task, taskTile);
    for (const run of runs) keep(`run:${run.id}`, run, runTile);
    this.#known = known;
    const list = [...known.values()]
      .map(({ tile }) => tile)
      .filter(({ section, endedAt }) => section !== 'done' || Date.parse(endedAt ?? '') >= since)
      .sort((a, b) => a.name.localeCompare(b.name));
    const isSame = list.length === this.#list.length && list.every((t, at) => t === this.#list[at]);
    return isSame ? this.#list : (this.#list = list);
  }
}

function itemsByWork(open: readonly AttentionItem[]): Map<string, AttentionItem[]> {
  const found = new Map<string, AttentionItem[]>();
  for (const item of open) {
    const { kind, id } = item.subject;
    if (kind !== 'task' && kind !== 'run') continue;
    const key = `${kind}:${id}`;
    found.set(key, [...(found.get(key) ?? []), item]);
  }
  return found;
}
