import { openFileLimit } from '../lib/open-files.ts';

const MAX_SOCKETS = 10_000;
/** Of the files the process may open, what is kept for the work itself: terminals, signals, /proc. */
const FILES_KEPT = 64;

/**
 * Gives how many sockets an engine serves at a time. Who comes when all are taken is cut at once; who
 * is here, and the work, goes on.
 */
export function maxSockets(): number {
  const files = openFileLimit();
  return files === null ? MAX_SOCKETS : Math.min(MAX_SOCKETS, Math.max(1, files - FILES_KEPT));
}
