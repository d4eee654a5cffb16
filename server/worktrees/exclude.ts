import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../lib/app-error.ts';

/** Where worktrees are in a repository; the second is a common place of other tools. */
export const WORKTREES_DIRECTORY = '.claude_worktrees';

/** A list that people write by hand. */
const MAX_BYTES = 1024 * 1024;

const LINES = [`/${WORKTREES_DIRECTORY}/`, '/.worktrees/'];

/**
 * Makes git ignore the worktrees in the main worktree `root`, through the file that belongs only to
 * this copy of the repository. Adds each line once. A link is not followed. Throws
 * `worktree_failed` or the system's error.
 */
export function excludeWorktrees(root: string): void {
  const directory = join(root, '.git', 'info');
  mkdirSync(directory, { recursive: true });
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const path = join(directory, 'exclude');
  const file = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o644);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) {
      const next = 'replace it with a file, then try again';
      throw new AppError(
        'worktree_failed',
        `${path} is not a file, or is larger than 1 MiB; ${next}`,
      );
    }
    const text = readFileSync(file, 'utf8');
    const there = text.split(/\r?\n/);
    const missing = LINES.filter((line) => !there.includes(line) && !there.includes(line.slice(1)));
    if (missing.length === 0) return;
    const start = text === '' || text.endsWith('\n') ? '' : '\n';
    writeSync(file, `${start}${missing.join('\n')}\n`);
  } finally {
    closeSync(file);
  }
}
