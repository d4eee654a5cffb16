/** Addresses below `/hosts/NAME`: the page and API of that host, on any node. */
import { HostName } from '../../shared/schema/fleet.ts';

export interface HostPath {
  /** May be no name that a host can have. */
  name: string;
  /** The path and query as the host itself would get them, from the slash on; not checked. */
  target: string;
}

/** Null for every target that is not below `/hosts/NAME` as it is spelled. */
export function readHostPath(target: string): HostPath | null {
  const [, name, rest] = /^\/hosts\/([^/?#]+)([^#]*)$/.exec(target) ?? [];
  return name === undefined || rest === undefined ? null : { name, target: rest };
}

/** What the page of that host puts before its addresses; empty for no valid name. */
export function hostBase(pathname: string): string {
  const [, name = ''] = /^\/hosts\/([^/]+)(?:\/|$)/.exec(pathname) ?? [];
  return HostName.safeParse(name).success ? `/hosts/${name}` : '';
}

/**
 * Whether a target is an endpoint of the API in its one spelling: no dot segments, no encoded
 * separators, nothing that two readers could resolve to two places.
 */
export function isApiTarget(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  if (!path.startsWith('/api/') || /%(?:2e|2f|5c|25|00)|[^\x21-\x7e]|\\|\/\//i.test(path)) {
    return false;
  }
  // Not every reader resolves all of them: Node leaves them in `/api/.x./..`.
  if (/\/\.{1,2}(?:\/|$)/.test(path)) return false;
  try {
    const url = new URL(target, 'http://host');
    decodeURIComponent(path);
    return url.pathname === path && url.host === 'host' && url.hash === '';
  } catch {
    return false;
  }
}
