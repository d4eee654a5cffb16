import { quoted } from '../../shared/rules/quoted.ts';
import { AppError } from '../lib/app-error.ts';

/** `other` is the member whose name is too similar; null: the name is the daemon's own. */
export function nameTaken(name: string, other: string | null): AppError {
  const next = 'choose another name';
  if (other === null) {
    return new AppError('name_taken', `"${name}" is reserved for the daemon; ${next}`);
  }
  const why =
    other === name ? `${name} is already a member` : `"${name}" is too similar to "${other}"`;
  const link = `for a new link: loopwatch people link ${quoted(other)}`;
  return new AppError('name_taken', `${why}; ${next}, or ${link}`);
}
