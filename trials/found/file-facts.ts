/** Every file of some directories, byte by byte. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** Content, mode and time of change of each, by path. A file that disappears meanwhile has none. */
export function fileFacts(...roots: readonly string[]): Map<string, string> {
  const facts = new Map<string, string>();
  for (const root of roots) visit(root, facts);
  return facts;
}

function visit(path: string, facts: Map<string, string>): void {
  try {
    const stat = lstatSync(path);
    facts.set(path, factOf(path, stat));
    if (!stat.isDirectory()) return;
    for (const name of readdirSync(path)) visit(join(path, name), facts);
  } catch {
    facts.delete(path);
  }
}

/** The times of a directory follow from what is in it. */
function factOf(path: string, stat: Stats): string {
  const mode = stat.mode.toString(8);
  if (stat.isSymbolicLink()) return `${mode} ${readlinkSync(path)}`;
  if (!stat.isFile()) return mode;
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  return `${mode} ${stat.mtimeMs} ${hash}`;
}

/** What is not the same in both, by its name. */
export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}
