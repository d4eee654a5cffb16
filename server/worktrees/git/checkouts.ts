/** Clean, temporary checkouts of one commit, outside the repository. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readRegular } from '../../lib/files/hostile-file.ts';
import type { Git, GitAt } from './git.ts';
import { entryDirectory, relink } from './worktree-entry.ts';

export interface Checkout {
  path: string;
  /** Removes it with everything created in it. */
  dispose(): Promise<void>;
}

/** The directory of a checkout in its own place below the scratch directory. */
const CHECKOUT = 'work';
const MAX_LINK_BYTES = 4096;

/**
 * A checkout of exactly that commit, on no branch. Throws `git_failed` with nothing left behind.
 */
export async function makeCheckout(git: GitAt, commit: string, scratch: string): Promise<Checkout> {
  const place = join(scratch, 'checkouts');
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const directory = mkdtempSync(join(place, 'c-'));
  const path = join(directory, CHECKOUT);
  const dispose = async () => {
    // By force: the daemon's own checkout holds no one's work.
    await git.attempt(['worktree', 'remove', '--force', '--force', path], { limit: 'change' });
    rmSync(directory, { recursive: true, force: true });
    // Git has no directory to remove where it was stopped before; the entry is found by its path.
    if (await isListed(git, path)) {
      await git.attempt(['worktree', 'remove', '--force', '--force', path], { limit: 'change' });
    }
  };
  try {
    await git.run(['worktree', 'add', '--detach', '--', path, commit], { limit: 'change' });
    relink(path, entryDirectory(git.root, path) ?? '');
  } catch (error) {
    await dispose();
    throw error;
  }
  return { path, dispose };
}

/** Removes checkouts left by a daemon that ended before it removed them. Throws `git_failed`. */
export async function removeLeftCheckouts(git: Git, scratch: string): Promise<void> {
  const place = join(scratch, 'checkouts');
  for (const name of existsSync(place) ? readdirSync(place) : []) {
    const directory = join(place, name);
    const path = join(directory, CHECKOUT);
    const root = rootOf(path);
    rmSync(directory, { recursive: true, force: true });
    if (root === null || !existsSync(root)) continue;
    const main = await git.find(root);
    await main?.attempt(['worktree', 'remove', '--force', '--force', path], { limit: 'change' });
  }
}

async function isListed(git: GitAt, path: string): Promise<boolean> {
  const listing = await git.attempt(['worktree', 'list', '--porcelain'], { limit: 'list' });
  return listing.ok && listing.stdout.split('\n').includes(`worktree ${path}`);
}

/** The main worktree that a linked one names: its entry is in `<root>/.git/worktrees/`. */
function rootOf(path: string): string | null {
  const text = readRegular(join(path, '.git'), MAX_LINK_BYTES) ?? '';
  const entry = /^gitdir: (.+)$/m.exec(text)?.[1];
  return entry === undefined ? null : dirname(dirname(dirname(resolve(path, entry))));
}
