import { readdirSync, readFileSync } from 'node:fs';
import type { World } from '../daemon/world.ts';

/** The pid of the server of a session's terminal, from the process table only. */
export function serverOf(world: World, session: string): number | undefined {
  const pid = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      // The server keeps the arguments of the client it was forked from.
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      const isServer = readFileSync(`/proc/${name}/comm`, 'utf8') === 'tmux: server\n';
      return (
        isServer &&
        words.some((word) => word.startsWith(world.root) && word.endsWith(`/${session}`))
      );
    } catch {
      return false;
    }
  });
  return pid === undefined ? undefined : Number(pid);
}
