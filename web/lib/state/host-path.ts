/** Addresses of hosts: `/hosts/<name>` is the page and the API of that host, on any host. Pure. */

/** The host in an address; null: the host that serves it. */
export function hostOfPath(path: string): string | null {
  return /^\/hosts\/([a-z0-9-]+)(?:\/|$)/.exec(path)?.[1] ?? null;
}

/** What the addresses of that host begin with. */
export function hostBase(host: string | null): string {
  return host === null ? '' : `/hosts/${host}`;
}

/** Lists that every host has. */
const LISTS = /^\/(?:inbox|tasks|runs|modules|history|report|usage|events|alerts|checks|people)/;

/**
 * The same kind of page on `host` (null: the host that serves the page). `path` is without a host;
 * what a page shows exists on its host only, so that of a task leads to the list of tasks.
 */
export function samePageOn(host: string | null, path: string): string {
  return `${hostBase(host)}${LISTS.exec(path)?.[0] ?? '/'}`;
}

/** The host that a list is filtered by; null: all. */
export function readHost(query: URLSearchParams): string | null {
  const host = query.get('host') ?? '';
  return /^[a-z0-9-]{1,32}$/.test(host) ? host : null;
}

/** A key of the browser's storage, of which each host has its own. */
export function keyOfHost(host: string | null, key: string): string {
  return host === null ? key : `${key}@${host}`;
}

/** What such a key is of, and where; null: the host that `keyOfHost` was given as null. */
export function readKey(key: string): { host: string | null; of: string } {
  const at = key.lastIndexOf('@');
  return at === -1 ? { host: null, of: key } : { host: key.slice(at + 1), of: key.slice(0, at) };
}
