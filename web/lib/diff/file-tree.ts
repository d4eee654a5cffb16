/** Changed files grouped by directory, for the list next to a diff. Pure. */

export interface TreeRow {
  /** 0 for the top. */
  depth: number;
  /** The last part of the path, or all of a directory chain that holds nothing else. */
  name: string;
  /** Null for a directory. */
  path: string | null;
}

interface Folder {
  folders: Map<string, Folder>;
  files: { name: string; path: string }[];
}

/** Directories before files, both by name; a directory with one subdirectory only is one row with it. */
export function fileTree(paths: readonly string[]): TreeRow[] {
  const root: Folder = { folders: new Map(), files: [] };
  for (const path of paths) {
    const parts = path.split('/');
    const name = parts.pop() ?? path;
    let folder = root;
    for (const part of parts) {
      const next = folder.folders.get(part) ?? { folders: new Map(), files: [] };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.files.push({ name, path });
  }
  return rowsOf(root, 0);
}

function rowsOf(folder: Folder, depth: number): TreeRow[] {
  const folders = [...folder.folders].sort(([a], [b]) => a.localeCompare(b));
  const files = [...folder.files].sort((a, b) => a.name.localeCompare(b.name));
  return [
    ...folders.flatMap(([first, inside]) => {
      const { name, end } = chain(first, inside);
      return [{ depth, name: `${name}/`, path: null }, ...rowsOf(end, depth + 1)];
    }),
    ...files.map(({ name, path }) => ({ depth, name, path })),
  ];
}

function chain(name: string, folder: Folder): { name: string; end: Folder } {
  const [only] = folder.folders;
  if (only === undefined || folder.folders.size > 1 || folder.files.length > 0)
    return { name, end: folder };
  return chain(`${name}/${only[0]}`, only[1]);
}
