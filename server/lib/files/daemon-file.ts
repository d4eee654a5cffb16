import { writeOwnFile } from './own-file.ts';

/** In the home: where the daemon listens. Left behind only by a daemon that was killed. */
export const DAEMON_FILE = 'daemon.json';

/** Writes the file and returns the function that removes it. */
export function announceDaemon(home: string, url: string): () => void {
  return writeOwnFile(home, DAEMON_FILE, `${JSON.stringify({ url, pid: process.pid })}\n`);
}
