/** Every source file and its imports, for the architecture tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { packageRoot } from '../../../server/lib/package-root.ts';

export const ROOT = packageRoot();

export interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
  /** Loaded by a call, not with the file. */
  onDemand: boolean;
}

export const FILES = filesOf(['client', 'server', 'shared', 'web', 'stand-in']);

export const IMPORTS: Import[] = FILES.flatMap(importsOf);

/** Of programs that measure or show the others. */
export const TOOL_IMPORTS: Import[] = filesOf(['bench', 'trials', 'shots', 'reference']).flatMap(
  importsOf,
);

function filesOf(tops: readonly string[]): string[] {
  return tops.flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|svelte)$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => join(top, name)),
  );
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found = text.matchAll(
    /(?:import|export)\s+(type\s)?[^'";]*?from\s*'([^']+)'|import\s*(\()?'([^']+)'/g,
  );
  return [...found].map(([, type, from, call, bare]) => ({
    file,
    target: targetOf(file, from ?? bare ?? ''),
    typeOnly: type !== undefined,
    onDemand: call !== undefined,
  }));
}

function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(ROOT, resolve(ROOT, dirname(file), specifier));
  if (specifier.startsWith('$shared/')) return specifier.replace('$shared', 'shared');
  if (specifier.startsWith('$lib')) return specifier.replace('$lib', 'web/lib');
  return specifier;
}
