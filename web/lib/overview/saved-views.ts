/** Named choices of the overview, kept in this browser. Pure. */
export interface SavedView {
  readonly name: string;
  /** The query of the address, empty or with its question mark. */
  readonly query: string;
}

export const LONGEST_NAME = 40;
/** Enough for a menu. */
const MOST = 30;

/** Drops what this page did not write. */
export function parseViews(stored: string | null): readonly SavedView[] {
  let read: unknown;
  try {
    read = JSON.parse(stored ?? '[]');
  } catch {
    return [];
  }
  return Array.isArray(read) ? read.filter(isView).slice(0, MOST) : [];
}

/** Replaces one of the same name; sorted by name. An empty name changes nothing. */
export function withView(
  views: readonly SavedView[],
  { name, query }: SavedView,
): readonly SavedView[] {
  const short = name.trim().slice(0, LONGEST_NAME);
  if (short === '') return views;
  return [...withoutView(views, short), { name: short, query }]
    .sort((a, b) => a.name.localeCompare(b.name))
    .slice(0, MOST);
}

export function withoutView(views: readonly SavedView[], name: string): readonly SavedView[] {
  return views.filter((view) => view.name !== name);
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  if (!('name' in value) || !('query' in value)) return false;
  const { name, query } = value;
  return typeof name === 'string' && typeof query === 'string' && /^(\?|$)/.test(query);
}
