import { closeSync, constants, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Where worktrees lie in a repository; the second is a common place of other tools. */
export const WORKTREES_DIRECTORY = '.claude_worktrees';

const LINES = [`/${WORKTREES_DIRECTORY}/`, '/.worktrees/'];

/**
 * Takes the main worktree of a repository; has git there ignore the worktrees in it, by the file that
 * belongs to this copy of the repository alone. Adds each line once. A link is not followed. Throws
 * the system's error.
 */
export function excludeWorktrees(root: string): void {
  const directory = join(root, '.git', 'info');
  mkdirSync(directory, { recursive: true });
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const file = openSync(
    join(directory, 'exclude'),
    O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW,
    0o644,
  );
  try {
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
