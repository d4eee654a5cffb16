import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from './atomic-file.ts';

/** In the home: where the daemon is found. Left behind only by a daemon that was killed. */
export const DAEMON_FILE = 'daemon.json';

/** Takes the home and where the daemon listens; writes it down and gives the way to take it back. */
export function announceDaemon(home: string, url: string): () => void {
  writeFileAtomic(home, DAEMON_FILE, `${JSON.stringify({ url, pid: process.pid })}\n`);
  return () => {
    try {
      unlinkSync(join(home, DAEMON_FILE));
    } catch {
      // Somebody removed it; that is what we were about to do.
    }
  };
}
