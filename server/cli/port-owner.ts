/** Who listens on a port of this machine, according to the process table. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENS = '0A';

export interface PortOwner {
  pid: number;
  /** The program's short name, as the kernel knows it. */
  program: string;
  /** It was started from the same file as this process. */
  isOurs: boolean;
}

/** The process that listens on a TCP port, or null when it cannot be determined. */
export function portOwner(port: number): PortOwner | null {
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeners(table, port));
  if (sockets.length === 0) return null;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const files = readdirSync(`/proc/${name}/fd`).map((file) =>
        linkOf(`/proc/${name}/fd/${file}`),
      );
      if (!files.some((file) => sockets.includes(file))) continue;
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      const program = readFileSync(`/proc/${name}/comm`, 'utf8').trim();
      return { pid: Number(name), program, isOurs: words[1] === process.argv[1] };
    } catch {
      // It ended, or belongs to another user.
    }
  }
  return null;
}

/** Listening sockets of a port in a table of the kernel, as links to them read. */
function listeners(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  try {
    return readFileSync(table, 'latin1')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(suffix) === true && state === LISTENS)
      .map((columns) => `socket:[${columns[9] ?? ''}]`);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
