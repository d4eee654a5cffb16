import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { ConfigError } from './config.ts';

/**
 * Takes the home; makes it, for its owner alone. Throws a ConfigError when it is somebody else's, and
 * the system's error when nothing can be written there.
 */
export function openHome(home: string): void {
  process.umask(0o077);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const stat = statSync(home);
  if (process.getuid !== undefined && stat.uid !== process.getuid()) {
    throw new ConfigError(`LOOPWATCH_HOME=${home} belongs to another user`);
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(home, 0o700);
  accessSync(home, constants.W_OK);
}
