import { execFileSync } from 'node:child_process';

const AUTHOR = ['-c', 'user.name=Stand-in', '-c', 'user.email=stand-in@localhost'];

/** Commits everything in the current directory; returns what git printed. */
export function commitAll(message: string): string {
  execFileSync('git', ['add', '-A']);
  return execFileSync('git', [...AUTHOR, 'commit', '-q', '-m', message], { encoding: 'utf8' });
}
