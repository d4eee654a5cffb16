/** Clean checkouts of what a project holds now, for an owner that has no worktree of its own. */
import { lstatSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import { type Checkout, makeCheckout, removeLeftCheckouts } from './git/checkouts.ts';
import type { Git } from './git/git.ts';
import { commitTree, withContent } from './reading/worktree-content.ts';

/** What a package manager installed, outside of version control: linked, so that checks can run. */
const INSTALLED = ['node_modules', '.venv', 'venv', 'vendor'];

export interface ProjectCheckout extends Checkout {
  commit: string;
}

export class ProjectCheckouts {
  readonly #git: Git;
  readonly #clock: Clock;
  readonly #scratch: string;

  /** `scratch` is a directory of the daemon, shared with no other checkouts. */
  constructor(options: { git: Git; clock: Clock; scratch: string }) {
    this.#git = options.git;
    this.#clock = options.clock;
    this.#scratch = options.scratch;
  }

  /**
   * A checkout of exactly the current content of a working tree: changed and new files included,
   * ignored ones not. Null outside git. Throws `git_failed` or `git_too_old`.
   */
  async open(directory: string): Promise<ProjectCheckout | null> {
    const git = (await this.#git.find(directory))?.seeingAll();
    if (git === undefined) return null;
    const commit = await withContent(
      git,
      { scratch: this.#scratch },
      async ({ head, tree, dirty }) => {
        if (head !== null && !dirty) return head;
        const parents = head === null ? [] : [head];
        return commitTree(git, tree, parents, 'Contents of a working tree', this.#clock);
      },
    );
    const checkout = await makeCheckout(git, commit, this.#scratch);
    for (const name of INSTALLED) link(join(directory, name), join(checkout.path, name));
    return { ...checkout, commit };
  }

  /**
   * The files of a working tree as they are now, ignored ones excluded, each with an id that only
   * its content decides. Null outside git. Throws `git_failed` or `git_too_old`.
   */
  async files(directory: string): Promise<{ path: string; object: string }[] | null> {
    const git = (await this.#git.find(directory))?.seeingAll();
    if (git === undefined) return null;
    const options = { scratch: this.#scratch, forget: true };
    return withContent(git, options, async ({ tree }, env) => {
      const listing = await git.run(['ls-tree', '-r', '-z', tree], { env, limit: 'list' });
      const lines = listing.split('\0').filter((line) => line !== '');
      return lines.map((line) => {
        const [about = '', path = ''] = line.split('\t');
        return { path, object: about };
      });
    });
  }

  /** At the start of a daemon: removes what an earlier one left. Throws `git_failed`. */
  async recover(): Promise<void> {
    await removeLeftCheckouts(this.#git, this.#scratch);
  }
}

function link(installed: string, path: string): void {
  if (statSync(installed, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) symlinkSync(installed, path);
}
