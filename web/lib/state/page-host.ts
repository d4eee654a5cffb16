/** The host that this page shows: its addresses begin with that of the host. */
import { resolve } from '$app/paths';
import { hostBase, hostOfPath, keyOfHost } from './host-path.ts';

/** Null: the host that serves the page. */
export const pageHost = hostOfPath(resolve('/'));

export const PAGE_BASE = hostBase(pageHost);

/** A key of the browser's storage for what belongs to the host and not to the browser. */
export function storageKey(key: string): string {
  return keyOfHost(pageHost, key);
}

/** An address without its host, if it has one. */
export function pathOnHost(path: string): string {
  return pageHost !== null && hostOfPath(path) === pageHost
    ? path.slice(PAGE_BASE.length) || '/'
    : path;
}

/** The address of a page on `host`; `path` is its address on the host of this page. */
export function pathTo(host: string | null, path: string): string {
  return hostBase(host) + pathOnHost(path);
}
