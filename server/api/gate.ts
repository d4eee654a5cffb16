/**
 * The checks every request passes before anything else sees it, plain or upgrade alike: is it
 * addressed to us, and does it come from our own page or from no page at all? No header lowers
 * them.
 */
import { AppError } from '../lib/app-error.ts';
import { headerValues, type RequestHead } from '../transport/transport.ts';

export interface GatePolicy {
  /** `host:port` names this daemon answers to. */
  hosts: readonly string[];
  scheme: 'http' | 'https';
}

export function gatePolicy(
  port: number,
  allowedHosts: readonly string[],
  https: boolean,
): GatePolicy {
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  const named = allowedHosts.flatMap((name) => [
    name.toLowerCase(),
    `${name.toLowerCase()}:${port}`,
  ]);
  return { hosts: [...loopback, ...named], scheme: https ? 'https' : 'http' };
}

/** The error that refuses the request, or null. */
export function gate(head: RequestHead, policy: GatePolicy): AppError | null {
  const hosts = headerValues(head, 'host');
  const host = hosts[0]?.toLowerCase();
  if (hosts.length !== 1 || host === undefined || !policy.hosts.includes(host)) {
    return new AppError('unknown_host', 'host name not allowed; add it to LOOPWATCH_HOSTS');
  }
  const origins = headerValues(head, 'origin');
  const ours = origins.every((origin) => isOurOrigin(origin, policy));
  if (origins.length > 1 || !ours) return foreign();
  const sites = headerValues(head, 'sec-fetch-site');
  const sameSite = sites.every(
    (site) => site === 'same-origin' || (isPage(head) && (site === 'none' || isFollowed(head))),
  );
  return sites.length > 1 || !sameSite ? foreign() : null;
}

function isOurOrigin(origin: string, { hosts, scheme }: GatePolicy): boolean {
  return hosts.some((host) => origin === `${scheme}://${host}`);
}

/** A person who opens the page by hand: the only request with no site behind it. */
function isPage({ method, target }: RequestHead): boolean {
  try {
    // As the router will read it, however it was spelled.
    const path = decodeURIComponent(new URL(target, 'http://page').pathname);
    const ofHost = /^(?:\/+hosts\/+[^/]*)*/.exec(path)?.[0] ?? '';
    return method === 'GET' && !/^\/+(api|ws|metrics|health)(\/|$)/.test(path.slice(ofHost.length));
  } catch {
    return false;
  }
}

/**
 * A link followed in a chat or mailbox of the browser. Only the page that acknowledges alerts, which
 * is static: what identifies the alert is in the fragment, which is not part of the request.
 */
function isFollowed(head: RequestHead): boolean {
  const only = (name: string, value: string) => {
    const values = headerValues(head, name);
    return values.length === 1 && values[0] === value;
  };
  const isNavigation = only('sec-fetch-mode', 'navigate') && only('sec-fetch-dest', 'document');
  return isNavigation && /^\/acknowledge(?:[?#]|$)/.test(head.target);
}

function foreign(): AppError {
  return new AppError('foreign_origin', 'cross-origin requests are refused');
}
