import { readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from './atomic-file.ts';

/** In the home: where the daemon listens. Left behind only by a daemon that was killed. */
export const DAEMON_FILE = 'daemon.json';

/** Writes the file and returns the function that removes it. */
export function announceDaemon(home: string, url: string): () => void {
  const announced = `${JSON.stringify({ url, pid: process.pid })}\n`;
  writeFileAtomic(home, DAEMON_FILE, announced);
  return () => {
    const file = join(home, DAEMON_FILE);
    try {
      // The home may belong to another daemon by now, one that replaced ours.
      if (readFileSync(file, 'utf8') === announced) unlinkSync(file);
    } catch {
      // Already removed.
    }
  };
}
