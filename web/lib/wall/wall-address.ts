/** What a wall shows, as its address: a reload or a shared link shows the same. Pure. */
import { readHost } from '$lib/state/host-path.ts';
import { readSplits, type Splits, writeSplits } from './split-sizes.ts';

export interface WallAddress {
  /** Keys of sessions in their order; null: those that work or need a person, chosen automatically. */
  follow: readonly string[] | null;
  /** One host alone; null: all. */
  host: string | null;
  hidesIdle: boolean;
  columns: Splits;
  rows: Splits;
}

/** The most sessions on a wall. */
export const MOST_PANES = 9;
/** No name of a session with that of its host is longer. */
const LONGEST_KEY = 65;

/** A name that does not exist is kept: its pane says so. */
export function readWall(query: URLSearchParams): WallAddress {
  const names = query.get('follow')?.split(',') ?? null;
  const follow =
    names === null
      ? null
      : [...new Set(names.map((name) => name.trim().slice(0, LONGEST_KEY)).filter(Boolean))];
  return {
    follow: follow?.slice(0, MOST_PANES) ?? null,
    host: readHost(query),
    hidesIdle: query.get('idle') === 'hide',
    columns: readSplits(query.get('columns') ?? ''),
    rows: readSplits(query.get('rows') ?? ''),
  };
}

/** With its question mark; empty for a wall as it is at first. */
export function writeWall({ follow, host, hidesIdle, columns, rows }: WallAddress): string {
  const query = new URLSearchParams();
  if (follow !== null) query.set('follow', follow.join(','));
  if (host !== null) query.set('host', host);
  if (hidesIdle) query.set('idle', 'hide');
  for (const [name, splits] of Object.entries({ columns, rows })) {
    const text = writeSplits(splits);
    if (text !== '') query.set(name, text);
  }
  // These need no escape, and people read and write these links.
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%40', '@');
  return text === '' ? '' : `?${text}`;
}

/** The order after two panes have changed places. */
export function swapPanes(names: readonly string[], one: string, other: string): readonly string[] {
  return names.map((name) => {
    if (name === one) return other;
    return name === other ? one : name;
  });
}
