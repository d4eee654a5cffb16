import type { GitBranches } from '../../shared/tasks/project.ts';
import type { GitAt } from './git.ts';
import { currentBranch } from './repository.ts';

export type BranchKind = 'local' | 'remote' | 'all';

/**
 * Takes git in a repository and which branches are wished; gives them sorted, each once, those of
 * remotes without the remote's name. Throws `git_failed`.
 */
export async function listBranches(git: GitAt, kind: BranchKind): Promise<GitBranches> {
  const places = { local: ['heads'], remote: ['remotes'], all: ['heads', 'remotes'] }[kind];
  const listing = await git.run(
    ['for-each-ref', '--format=%(refname)%00%(symref)', ...places.map((place) => `refs/${place}/`)],
    { limit: 'list' },
  );
  const names = listing.split('\n').flatMap((line) => {
    const [ref = '', alias] = line.split('\0');
    // The HEAD of a remote is another name for one of its branches.
    return ref === '' || (alias !== '' && ref.startsWith('refs/remotes/')) ? [] : [nameOf(ref)];
  });
  return { current_branch: await currentBranch(git), branches: [...new Set(names)].sort() };
}

function nameOf(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, '');
}
