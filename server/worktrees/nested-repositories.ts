import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { GitAt } from './git.ts';
import type { Changes } from './changes.ts';

/** A submodule, as a mode in the index. */
const GITLINK = '160000 ';

/**
 * Takes git in a worktree and what differs there; gives the directories in it, relative, that are repositories of their own:
 * the commit of the worktree could hold none of their content. Throws `git_failed`.
 */
export async function nestedRepositories(
  git: GitAt,
  { fresh, ignored }: Changes,
): Promise<string[]> {
  const staged = await git.run(['ls-files', '--stage', '-z'], { limit: 'list' });
  const links = staged
    .split('\0')
    .filter((line) => line.startsWith(GITLINK))
    .map((line) => line.slice(line.indexOf('\t') + 1));
  const has = (path: string) => existsSync(join(git.directory, path, '.git'));
  return [
    // All new files are listed by themselves: a directory is listed only where git does not look inside.
    ...fresh.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)),
    ...links.filter(has),
    ...ignored.filter((path) => path.endsWith('/')).flatMap((path) => hidden(git, path, has)),
  ];
}

/** None where it cannot be read: it may be gone by now, and what git cannot read it does not delete. */
function listed(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** An ignored directory itself, and those right in it. */
function hidden(git: GitAt, path: string, has: (path: string) => boolean): string[] {
  const inside = listed(join(git.directory, path))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${path}${name}`);
  return [path.slice(0, -1), ...inside].filter(has);
}
