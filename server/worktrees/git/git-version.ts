import { AppError } from '../../lib/app-error.ts';

/**
 * The first version that reports where a setting comes from; worktrees themselves came with 2.5.
 */
const MINIMUM = [2, 26] as const;

/** `answer` is the output of `git version`. Throws `git_too_old`. */
export function requireGitVersion(answer: string): void {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(answer) ?? [];
  const known = [Number(major ?? 0), Number(minor ?? 0)] as const;
  if (known[0] > MINIMUM[0] || (known[0] === MINIMUM[0] && known[1] >= MINIMUM[1])) return;
  const least = MINIMUM.join('.');
  throw new AppError('git_too_old', `${answer.trim()} is too old; install git ${least} or newer`);
}
