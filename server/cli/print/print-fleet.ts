/** Hosts of a fleet, and what to do after a change of its members, for a person. */
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import type { FleetView, Host, WorkClaim } from '../../../shared/schema/fleet.ts';
import type { Reload } from '../../fleet/membership/reload-server.ts';
import { tableLines } from './table.ts';
import type { TimeText } from './time-text.ts';

const MAX_LINE = 300;
/** Characters of a key: enough for `release`. */
const SHOWN_KEY = 12;

export const ALONE = 'this host is alone; docs/fleet.md shows how several hosts share one page';

export function hostLines(hosts: readonly Host[], time: TimeText): string[] {
  const head = ['host', 'state', 'version', 'free slots', 'labels'];
  const rows = hosts.map((host) => [
    host.name,
    stateOf(host, time),
    oneLine(host.version, MAX_LINE),
    String(host.free_slots),
    oneLine(host.labels.join(' '), MAX_LINE),
  ]);
  return tableLines(head, rows);
}

export function claimLines(claims: readonly WorkClaim[]): string[] {
  const rows = claims.map(({ key, name, state, work }) => [
    key.slice(0, SHOWN_KEY),
    name,
    state,
    oneLine(work, MAX_LINE),
  ]);
  return tableLines(['key', 'host', 'state', 'work'], rows);
}

/** Why this host takes no part in its fleet. */
export function problemText(
  { code, since, message }: NonNullable<FleetView['problem']>,
  time: TimeText,
): string {
  const text = oneLine(message, MAX_LINE);
  return `${text} (${code}, since ${time(since)}); for the cause: loopwatch fleet doctor`;
}

/** What the daemon of this home needs from now on. */
export function daemonLines(url: string): string[] {
  return [
    'start the daemon of this home with this in its environment (restart it if it runs):',
    `  export LOOPWATCH_NATS=${url}`,
    'to check the connection: loopwatch fleet doctor',
  ];
}

export function reloadText(reload: Reload): string {
  if (reload === 'asked') return 'the NATS server was asked to read its new configuration';
  if (reload === 'not_running') {
    return 'the NATS server does not run here; it reads its new configuration when it starts';
  }
  return 'the pid file of the NATS server names another program; restart the server, so that it reads its new configuration';
}

function stateOf({ state, last_seen_at }: Host, time: TimeText): string {
  return last_seen_at === null ? state : `${state} since ${time(last_seen_at)}`;
}
