import { quoted } from '../text/quoted.ts';

/** For a shell: pushes the branch of a worktree and opens a pull request with its commits' texts. */
export function pullRequestCommand(worktree: string, branch: string, base: string): string {
  const [place, head, into] = [quoted(worktree), quoted(branch), quoted(base)];
  return `cd ${place} && git push -u origin ${head} && gh pr create --fill --base ${into} --head ${head}`;
}
