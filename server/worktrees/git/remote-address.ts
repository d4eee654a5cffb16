/** The address of a git remote in its parts, however it is spelled. */

export interface RemoteAddress {
  /** In lower case; '' for a directory of this machine. */
  host: string;
  /** Null for the usual one of its protocol. */
  port: string | null;
  /** From the first `/`, without `.git`. */
  path: string;
}

const USUAL_PORTS = ['22', '80', '443', '9418'];

/**
 * Of `https://user@host/path.git`, `ssh://git@host:22/path`, `git@host:path` and `/path`. Null for a
 * path that is relative, and so means something only where it is written.
 */
export function remoteAddress(remote: string): RemoteAddress | null {
  const text = remote.trim();
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:]*)(?::(\d+))?(\/.*)?$/i;
  const [, host = '', port = null, path = ''] = url.exec(text) ?? [];
  if (url.test(text)) {
    const isUsual = port === null || USUAL_PORTS.includes(port);
    return { host: host.toLowerCase(), port: isUsual ? null : port, path: plain(path) };
  }
  const short = /^(?:[^/@:]*@)?(\[[^\]]*\]|[^/:]+):(?!\/\/)(.*)$/.exec(text);
  if (short !== null) {
    const [, name = '', place = ''] = short;
    return { host: name.toLowerCase(), port: null, path: plain(`/${place}`) };
  }
  return text.startsWith('/') ? { host: '', port: null, path: plain(text) } : null;
}

function plain(path: string): string {
  return path
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '');
}
