/** A path while it is typed: the directory it is in so far, and the beginning of the next name. Pure. */
export interface TypedPath {
  /** Absolute, without a slash at its end; null while nothing is typed that one could open. */
  base: string | null;
  filter: string;
}

/** Takes what stands in the field; gives its two parts. */
export function splitPath(typed: string): TypedPath {
  const path = typed.trim();
  if (!path.startsWith('/')) return { base: null, filter: path };
  const slash = path.lastIndexOf('/');
  return { base: trimSlashes(path.slice(0, slash)) || '/', filter: path.slice(slash + 1) };
}

/** Takes a path; gives it without slashes at its end. */
export function trimSlashes(path: string): string {
  return path.trim().replace(/(?<=.)\/+$/, '');
}

/** Takes a path that ends with a slash; gives the one above it, '' above the first. */
export function goUp(path: string): string {
  return trimSlashes(path)
    .replace(/[^/]*$/, '')
    .replace(/^\/$/, '');
}

/** Takes names of any kind of thing and what is typed; gives what fits, what begins with it first. */
export function fitting<Item extends { name: string }>(
  items: readonly Item[],
  filter: string,
): Item[] {
  const wanted = filter.toLowerCase();
  const found = items.filter(({ name }) => name.toLowerCase().includes(wanted));
  const begins = ({ name }: Item) => name.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((item) => !begins(item))];
}

/** Takes a path and the roots; gives the way to it from its root, each with the path that leads there. */
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
