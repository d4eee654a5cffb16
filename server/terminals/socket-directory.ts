/** A short, private directory for sockets of a daemon: a socket path has at most 107 bytes. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SessionName } from '../../shared/schema/session-name.ts';

const MAX_SOCKET_PATH_BYTES = 107;
/** A slash and a session name of 32 characters. */
const MAX_NAME_BYTES = 33;

/**
 * The 0700 directory for this home's sockets. Throws when another user created it, or when the path
 * would be too long.
 */
export function openSocketDirectory(runtimeRoot: string, home: string): string {
  const uid = process.getuid?.() ?? 0;
  const digest = createHash('sha256').update(home).digest('hex').slice(0, 10);
  const directory = join(runtimeRoot, `loopwatch-${uid}-${digest}`);
  if (Buffer.byteLength(directory) + MAX_NAME_BYTES > MAX_SOCKET_PATH_BYTES) {
    throw new Error(
      `${runtimeRoot} is too long for a socket path; set XDG_RUNTIME_DIR to a short one`,
    );
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stat = lstatSync(directory);
  if (!stat.isDirectory() || stat.uid !== uid || (stat.mode & 0o077) !== 0) {
    throw new Error(
      `${directory} is not a private directory of this user; remove it, then start the daemon again`,
    );
  }
  return directory;
}

/** Names of the sessions with a socket there, in order. */
export function socketNames(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isSocket() && SessionName.safeParse(entry.name).success)
    .map(({ name }) => name)
    .sort();
}

/** For a session whose server has ended. */
export function removeSocket(directory: string, name: string): void {
  try {
    rmSync(join(directory, name), { force: true });
  } catch {
    // The next terminal of that name replaces it.
  }
}
