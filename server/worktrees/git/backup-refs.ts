/** Refs that keep commits which nothing else would hold. They are never deleted here. */
import type { Clock } from '../../lib/clock.ts';
import type { GitAt } from './git.ts';

/** Per name and second; more than this in one removal has another cause. */
const MAX_IN_A_SECOND = 100;

/**
 * Keeps a commit under a new ref `refs/loopwatch/backup/<name>/<time>`, and returns that. Throws
 * `git_failed`.
 */
export async function keepCommit(
  git: GitAt,
  name: string,
  commit: string,
  clock: Clock,
): Promise<string> {
  const time = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
  const first = `refs/loopwatch/backup/${name}/${time}`;
  for (let number = 1; ; number += 1) {
    const ref = number === 1 ? first : `${first}-${number}`;
    const taken = await git.ask(['rev-parse', '--verify', '--quiet', ref]);
    if (taken === commit) return ref;
    if (taken !== null && number < MAX_IN_A_SECOND) continue;
    // The empty value: only if the ref does not exist yet.
    await git.run(['update-ref', ref, commit, ''], { limit: 'change' });
    return ref;
  }
}

/**
 * Those of the commits, newest history only, that no branch, tag or backup leads to. `except` is a
 * branch that does not count. Throws `git_failed`.
 */
export async function unreferenced(
  git: GitAt,
  commits: readonly string[],
  except: string | null = null,
): Promise<string[]> {
  if (commits.length === 0) return [];
  const input = [
    ...new Set(commits),
    '--not',
    ...(except === null ? [] : await namesOf(git, except)).map((name) => `--exclude=${name}`),
    '--branches',
    '--tags',
    '--glob=refs/loopwatch/backup',
  ];
  const listing = await git.run(['rev-list', '--parents', ...input], { limit: 'list' });
  const lines = listing.split('\n').filter((line) => line !== '');
  const parents = new Set(lines.flatMap((line) => line.split(' ').slice(1)));
  return lines.flatMap((line) => line.split(' ').slice(0, 1)).filter((id) => !parents.has(id));
}

/** The branch, and every other ref that is only another name of it. */
async function namesOf(git: GitAt, branch: string): Promise<string[]> {
  const format = '--format=%(refname:lstrip=2)%00%(symref)';
  const listing = await git.run(['for-each-ref', format, 'refs/heads'], { limit: 'list' });
  const pairs = listing.split('\n').map((line) => line.split('\0'));
  const aliases = pairs.filter(([, symref]) => symref === `refs/heads/${branch}`);
  return [branch, ...aliases.map(([name = '']) => name)];
}
