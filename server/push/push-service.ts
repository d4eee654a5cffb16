/**
 * Where the daemon sends for a browser. Every member may add one, so its address must be that of a
 * push service: any other would let a viewer make the daemon call hosts of their choice.
 */

/** By host: `host`, `host:port`, or `*.domain` for every host below it. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Why not; null when it is one of `services`, over https, or over http to this machine. */
export function endpointObstacle(endpoint: string, services: readonly string[]): string | null {
  if (!/^https?:\/\/[^\s\p{C}\\]+$/u.test(endpoint) || !URL.canParse(endpoint)) {
    return 'must be an https URL without spaces';
  }
  const { protocol, username, password, hostname, host, hash } = new URL(endpoint);
  if (username + password + hash !== '') return 'must have no credentials and no #';
  if (protocol !== 'https:' && !LOOPBACK.test(hostname)) return 'must be an https URL';
  if (services.some((pattern) => isHost(host, pattern.toLowerCase()))) return null;
  return `${host} is not a known push service; an admin can add it to LOOPWATCH_PUSH_SERVICES`;
}

/** The host of an endpoint, which is no secret. */
export function serviceOf(endpoint: string): string {
  return new URL(endpoint).host;
}

function isHost(host: string, pattern: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
