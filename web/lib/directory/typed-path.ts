/** A path being typed: the directory so far, and the beginning of the next name. Pure. */
export interface TypedPath {
  /** Absolute, without a trailing slash; null while the input cannot be opened. */
  base: string | null;
  filter: string;
}

export function splitPath(typed: string): TypedPath {
  const path = typed.trim();
  if (!path.startsWith('/')) return { base: null, filter: path };
  const slash = path.lastIndexOf('/');
  return { base: trimSlashes(path.slice(0, slash)) || '/', filter: path.slice(slash + 1) };
}

export function trimSlashes(path: string): string {
  return path.trim().replace(/(?<=.)\/+$/, '');
}

/** For a path that ends with a slash: its parent, '' above the first. */
export function parentPath(path: string): string {
  return trimSlashes(path)
    .replace(/[^/]*$/, '')
    .replace(/^\/$/, '');
}

/** Items whose name contains the text; those that begin with it come first. */
export function fitting<Item extends { name: string }>(
  items: readonly Item[],
  filter: string,
): Item[] {
  const wanted = filter.toLowerCase();
  const found = items.filter(({ name }) => name.toLowerCase().includes(wanted));
  const begins = ({ name }: Item) => name.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((item) => !begins(item))];
}

/** The steps from its root to a path, each with its own path. */
export function trailOf(path: string, roots: readonly string[]): { name: string; path: string }[] {
  const root = roots.find((each) => path === each || path.startsWith(`${trimSlashes(each)}/`));
  if (root === undefined) return [];
  const names = path.slice(root.length).split('/').filter(Boolean);
  const below = names.map((name, index) => ({
    name,
    path: `${trimSlashes(root)}/${names.slice(0, index + 1).join('/')}`,
  }));
  return [{ name: root, path: root }, ...below];
}
