/**
 * Removes known directories from a text for an agent: it works where it runs, not where a path
 * points. Pure.
 */

export interface KnownPath {
  /** Absolute. List a directory under each of its names, the real one and those with links. */
  path: string;
  /** The replacement: `the current directory`, `the project api`. */
  name: string;
  /** Put before a path below it: `./`, `api/`, `~/`. */
  prefix: string;
}

/** Characters that continue a name. */
const MORE = String.raw`[\p{L}\p{N}_$@~+%-]|\.[\p{L}\p{N}_]`;
/** Characters that continue a path behind a slash. */
const BELOW = String.raw`[\p{L}\p{N}_$@~+%*{[(-]|\.[\p{L}\p{N}_./]`;
/** Where a path begins: not inside one, nor inside an address; behind a flag such as `-I`. */
const BEGIN = String.raw`(?:\bfile:/*(?=/)|(?:(?<![\p{L}\p{N}_.~/%-])|(?<=(?:^|[\s"'])-\p{L}))(?!(?<=\b(?!file)[A-Za-z][A-Za-z0-9+.-]*:)//(?!/)))`;

/**
 * Replaces the absolute paths of known directories, the longest first. Nothing else changes: not an
 * address with the same words in it, not a route, not a directory next to a known one.
 */
export function withoutAbsolutePaths(text: string, known: readonly KnownPath[]): string {
  const named = known
    .map((one) => ({ ...one, path: one.path.replace(/\/+$/, '') }))
    .filter(({ path }) => path.startsWith('/'))
    .sort((a, b) => b.path.length - a.path.length);
  return named.reduce(replaced, text);
}

function replaced(text: string, { path, name, prefix }: KnownPath): string {
  const place = path.split('/').filter(Boolean).map(escaped).join('/+');
  const pattern = new RegExp(`${BEGIN}/+${place}(?:(/+)(?=${BELOW})|/*(?!${MORE}|/))`, 'gu');
  return text.replaceAll(pattern, (_found, below: string | undefined) =>
    below === undefined ? name : prefix,
  );
}

function escaped(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
