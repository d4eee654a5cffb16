import { statSync } from 'node:fs';
import { systemCode } from './app-error.ts';
import type { Clock, Timer } from './clock.ts';

const LOOK_EVERY_MS = 5_000;

/**
 * Takes a file that is open; calls `onGone` once when its name leads nowhere or to another file, at
 * the latest 5 s later. What is written to it from then on is lost with its last close. Gives the
 * way to stop.
 */
export function watchFileIdentity(path: string, clock: Clock, onGone: () => void): () => void {
  const opened = identityOf(path);
  let timer: Timer | null = null;
  const look = () => {
    if (identityOf(path) === opened) timer = clock.after(LOOK_EVERY_MS, look);
    else onGone();
  };
  timer = clock.after(LOOK_EVERY_MS, look);
  return () => timer?.cancel();

  function identityOf(file: string): string | null {
    try {
      const { dev, ino } = statSync(file, { bigint: true });
      return `${dev}:${ino}`;
    } catch (error) {
      const code = systemCode(error);
      // A disk that cannot be asked says nothing.
      return code === 'ENOENT' || code === 'ENOTDIR' ? null : opened;
    }
  }
}
