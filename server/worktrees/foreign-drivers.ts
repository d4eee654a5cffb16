/** Programs that a repository's own configuration would have git run over files. */
import { AppError } from '../lib/app-error.ts';

/** A driver may have the empty name. */
const DRIVER = /^(filter|merge|diff|hook)\.(.*)\.[^.]+$/s;

const KEYS: Record<string, readonly string[]> = {
  filter: ['clean=', 'smudge=', 'process=', 'required=false'],
  merge: ['driver='],
  diff: ['command=', 'textconv='],
  // Newer versions of git run hooks by their settings too.
  hook: ['enabled=false'],
};

/**
 * Takes the names of all settings with the place each one stands in (`git config --show-scope
 * --name-only -z`); gives the arguments that switch off every driver named in the repository's own
 * places. Drivers that the user's own settings name stay as they are. Throws `git_failed` for a name
 * that cannot be switched off.
 */
export function quieten(listing: string): string[] {
  const words = listing.split('\0');
  const drivers = new Set<string>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    const scope = words[at];
    const match = DRIVER.exec(words[at + 1] ?? '');
    if ((scope === 'local' || scope === 'worktree') && match !== null) {
      drivers.add(`${match[1]}.${match[2]}`);
    }
  }
  return [...drivers].flatMap((driver) => {
    if (driver.includes('=')) {
      const next = 'rename it in the configuration of the repository';
      throw new AppError('git_failed', `the driver ${driver} has “=” in its name; ${next}`);
    }
    const kind = driver.slice(0, driver.indexOf('.'));
    return (KEYS[kind] ?? []).flatMap((key) => ['-c', `${driver}.${key}`]);
  });
}
