/** The version before this one, from the history of the tree: what some hosts have during an update. */
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';

/**
 * For a history without a release: the last commit before the newest migration. A host of it has another
 * database, does not know the event `task.held`, and answers fewer endpoints.
 */
const BEFORE_MIGRATION = 'a91e9cbd081a2329e69c2b3103060aeba0cb5e81';

/** `missing` says why there is none. */
export type OldTree = { commit: string; name: string } | { missing: string };

/**
 * The commit or tag of LOOPWATCH_TEST_OLD, else the newest tag below HEAD, else `fallback`. Throws when
 * the one that was asked for is not there.
 */
export function findOldTree(
  root: string,
  { asked, fallback }: { asked: string | undefined; fallback: string } = {
    asked: process.env['LOOPWATCH_TEST_OLD'],
    fallback: BEFORE_MIGRATION,
  },
): OldTree {
  const git = (...args: string[]): string | null => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  // A tree without a history may be inside of another one's.
  const top = git('rev-parse', '--show-toplevel');
  if (top === null || realpathSync(top) !== realpathSync(root)) {
    return { missing: 'needs the git history of the tree' };
  }
  const below = ['--merged=HEAD', '--no-contains=HEAD', '--sort=-creatordate', '--count=1'];
  const tag = git('for-each-ref', ...below, '--format=%(refname:short)', 'refs/tags') ?? '';
  const name = asked ?? (tag === '' ? fallback : tag);
  const commit = git('rev-parse', '--quiet', '--verify', `${name}^{commit}`);
  if (commit !== null) return { commit, name };
  if (asked !== undefined) throw new Error(`LOOPWATCH_TEST_OLD: the history has no ${asked}`);
  return { missing: `needs ${name} of the git history, which is not whole here` };
}
