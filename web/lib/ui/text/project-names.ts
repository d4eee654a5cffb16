/**
 * The names of projects by their paths: the directory, with as many of those above it as make it
 * distinct from another one of its name.
 */
export function projectNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const all = [...new Set(paths)].map((path) => ({ path, parts: path.split('/').filter(Boolean) }));
  return new Map(
    all.map(({ path, parts }) => {
      for (let count = 1; count < parts.length; count += 1) {
        const name = parts.slice(-count).join('/');
        const isShared = all.some(
          (other) => other.path !== path && other.parts.slice(-count).join('/') === name,
        );
        if (!isShared) return [path, name];
      }
      return [path, path];
    }),
  );
}
