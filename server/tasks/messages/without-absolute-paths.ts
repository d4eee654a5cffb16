/** Known directories out of a text for an agent: it works where it is, not where it is told to. Pure. */

export interface KnownPath {
  /** Absolute. Give a directory under each of its names, the real one and those with links. */
  path: string;
  /** What is said instead: `the current directory`, `the project api`. */
  name: string;
  /** What is put before a path below it: `./`, `api/`, `~/`. */
  prefix: string;
}

/** What makes another name of it. */
const MORE = String.raw`[\p{L}\p{N}_$@~+%-]|\.[\p{L}\p{N}_]`;
/** What a path goes on with behind a slash. */
const BELOW = String.raw`[\p{L}\p{N}_$@~+%*{[(-]|\.[\p{L}\p{N}_./]`;
/** Where a path begins: not in the midst of one, nor of an address; behind a flag such as `-I`. */
const BEGIN = String.raw`(?:\bfile:/*(?=/)|(?:(?<![\p{L}\p{N}_.~/%-])|(?<=(?:^|[\s"'])-\p{L}))(?!(?<=\b(?!file)[A-Za-z][A-Za-z0-9+.-]*:)//(?!/)))`;

/**
 * Takes a text and known directories; gives the text in which none of them is named by its absolute
 * path, the longest first. Nothing else changes: not an address that has the same words in it, not a
 * route, not a directory beside a known one.
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
