import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../server/lib/package-root.ts';

export interface SpecFile {
  /** Below docs, such as `spec/events.md`. */
  readonly path: string;
  readonly text: string;
  /** Ids in the order of the file; a duplicate is kept. */
  readonly rules: readonly string[];
}

const RULE = /^- \*\*([A-Z]{2}\d+)\*\* /gm;

/** The files of docs/spec with their rules. */
export function specFiles(): SpecFile[] {
  const docs = join(packageRoot(), 'docs');
  return readdirSync(join(docs, 'spec')).map((name) => {
    const path = `spec/${name}`;
    const text = readFileSync(join(docs, path), 'utf8');
    return { path, text, rules: [...text.matchAll(RULE)].map(([, rule = '']) => rule) };
  });
}
