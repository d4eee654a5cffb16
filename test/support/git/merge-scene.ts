/** A worktree whose branch has work for `main`, which the main worktree has checked out. */
import type { MergeRequest } from '../../../server/worktrees/changing/merge-work.ts';
import type { Worktree } from '../../../server/worktrees/worktrees.ts';
import { WorktreeStage } from './worktree-stage.ts';

export class MergeScene extends WorktreeStage {
  made!: Worktree;

  /** The branch changes `README`, adds `new/a.txt`, and deletes `old.txt`; `main` has moved on too. */
  async begin(): Promise<Worktree> {
    this.write(this.repository, 'old.txt', 'old\n');
    this.commit(this.repository, 'old');
    this.made = await this.create('fix');
    const { path } = this.made;
    this.write(path, 'README', 'hello\nfrom the branch\n');
    this.write(path, 'new/a.txt', 'new\n');
    this.git(path, 'rm', '-q', 'old.txt');
    this.commit(path, 'work');
    this.write(this.repository, 'main.txt', 'main\n');
    this.commit(this.repository, 'main moved on');
    return this.made;
  }

  async merge(request: Partial<MergeRequest> = {}) {
    const all = { into: 'main', squash: false, message: 'Merge the fix', verify: accept };
    return this.worktrees.merge(this.made, { ...all, ...request });
  }

  at(name: string, directory = this.repository): string {
    return this.git(directory, 'rev-parse', name);
  }

  status(directory = this.repository): string {
    return this.git(directory, 'status', '--porcelain');
  }

  /** Everything that a merge may change: refs, index, status, worktrees. */
  footprint(): string {
    const { repository } = this;
    const refs = this.git(repository, 'for-each-ref');
    const index = this.git(repository, 'ls-files', '--stage');
    return [refs, index, this.status(), this.at('HEAD'), ...this.listed()].join('\n');
  }
}

export async function accept(): Promise<string | null> {
  return Promise.resolve(null);
}
