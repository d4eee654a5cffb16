import { readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from './atomic-file.ts';

/** In the home: where the daemon is found. Left behind only by a daemon that was killed. */
export const DAEMON_FILE = 'daemon.json';

/** Takes the home and where the daemon listens; writes it down and gives the way to take it back. */
export function announceDaemon(home: string, url: string): () => void {
  const announced = `${JSON.stringify({ url, pid: process.pid })}\n`;
  writeFileAtomic(home, DAEMON_FILE, announced);
  return () => {
    const file = join(home, DAEMON_FILE);
    try {
      // The home may be another daemon's by now, put in the place of ours.
      if (readFileSync(file, 'utf8') === announced) unlinkSync(file);
    } catch {
      // Somebody removed it; that is what we were about to do.
    }
  };
}
