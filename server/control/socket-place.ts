/** Where the control socket of a daemon is, and how others find it. */
import { readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { systemCode } from '../lib/app-error.ts';

/** In the home: a link to the socket, whose own directory has a short path. */
export const CONTROL_SOCKET = 'control.sock';
/** Sockets of sessions have no dot in their names. */
const OURS = /^control(-\d+)?\.sock$/;

/**
 * Removes the sockets of dead daemons, and returns a path that is free. It is `control.sock` unless a
 * living daemon answers there, such as one whose home was replaced while it ran.
 */
export async function freeSocketPath(directory: string): Promise<string> {
  const isTaken = new Set<string>();
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (!OURS.test(entry.name)) continue;
    if (entry.isSocket() && (await isDead(path))) rmSync(path, { force: true });
    else isTaken.add(entry.name);
  }
  return join(
    directory,
    isTaken.has(CONTROL_SOCKET) ? `control-${process.pid}.sock` : CONTROL_SOCKET,
  );
}

/** For the daemon that holds the lock of the home. Returns the function that removes the link. */
export function linkSocket(home: string, path: string): () => void {
  const link = join(home, CONTROL_SOCKET);
  rmSync(link, { force: true });
  symlinkSync(path, link);
  return () => {
    // The home may belong to another daemon by now, one that replaced ours.
    if (linkedSocket(home) === path) rmSync(link, { force: true });
  };
}

/** The socket that the home's link names; null without one. */
export function linkedSocket(home: string): string | null {
  return followLink(join(home, CONTROL_SOCKET));
}

/** Where a link leads; null when the path is none. */
export function followLink(path: string): string | null {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return null;
  }
}

/** Only the kernel's word that no process listens counts; a busy owner is alive. */
async function isDead(path: string): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      settle(false);
    });
    socket.once('error', (error) => {
      settle(['ECONNREFUSED', 'ENOENT'].includes(systemCode(error) ?? ''));
    });
  });
}
