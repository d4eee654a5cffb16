/**
 * How a person runs this program again: `loopwatch` only where that command is on the PATH, else the
 * words that started it. The one place that decides what messages about the daemon name.
 */
import { realpathSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';

export interface Started {
  /** The script that Node runs, as it was given. */
  script: string;
  path: string;
  cwd: string;
}

/** For example `node dist/server/main.js login` in a checkout. */
export function ownCommand(words: string, started: Started = startedAs()): string {
  return `${program(started)} ${words}`;
}

function program({ script, path, cwd }: Started): string {
  const file = realOf(script);
  const isOwn = (directory: string) =>
    file !== null && directory !== '' && realOf(join(directory, 'loopwatch')) === file;
  // Directories that npm adds while it runs a script are not on the PATH of the person's shell.
  const directories = path.split(delimiter).filter((each) => !isOfNpm(each));
  if (file === null || directories.some(isOwn)) return 'loopwatch';
  if (isOwn(join(cwd, 'node_modules/.bin'))) return 'npx loopwatch';
  const near = relative(cwd, file);
  return `node ${quoted(near.startsWith('..') ? file : near)}`;
}

function startedAs(): Started {
  return {
    script: process.argv[1] ?? '',
    path: process.env['PATH'] ?? '',
    cwd: process.cwd(),
  };
}

function isOfNpm(directory: string): boolean {
  return /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(directory);
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function quoted(path: string): string {
  return /^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
