/** What keeps this host out of its fleet: one step after the other, up to the first that fails. */
import { createConnection } from 'node:net';
import type { FleetView } from '../../../shared/schema/fleet.ts';
import { messageOf, systemCode } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { type HostIdentity, readHostIdentity } from '../host-identity.ts';
import { provisionIfFounder } from './as-founder.ts';
import { compareClocks } from '../nats/compare-clocks.ts';
import { connectToServer, type ServerConnection } from '../nats/connect-to-server.ts';
import { missingStreams } from '../nats/provision-fleet.ts';

export interface MembershipCheck {
  name: 'joined' | 'setting' | 'address' | 'tls' | 'key' | 'streams' | 'clock' | 'duplicate';
  ok: boolean;
  detail: string;
  /** What to do; null when it is ok. */
  fix: string | null;
}

interface Circumstances {
  home: string;
  /** Of the server, as the settings name it. */
  url: string | null;
  /** What the running daemon says; null when none runs. */
  view: FleetView | null;
  clock: Clock;
}

const DIAL_MS = 5_000;
/** Times of hosts are shown next to each other; more than this misleads. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

export async function checkMembership(given: Circumstances): Promise<MembershipCheck[]> {
  const { home, url } = given;
  const identity = ownIdentity(home);
  if (identity instanceof Error) {
    const fix = 'run the link again: loopwatch fleet join LINK --replace';
    return [failed('joined', `host.json cannot be read: ${identity.message}`, fix)];
  }
  if (identity === null) {
    const fix =
      'on a host of the fleet: loopwatch fleet invite NAME; here: loopwatch fleet join LINK';
    return [failed('joined', 'this home is not a host of any fleet', fix)];
  }
  const checks = [passed('joined', `this home is the host ${identity.name}`)];
  if (url === null) {
    const fix = 'set it as loopwatch fleet join printed it, for the daemon and for this shell';
    return [...checks, failed('setting', 'LOOPWATCH_NATS is not set', fix)];
  }
  checks.push(passed('setting', `LOOPWATCH_NATS is ${url}`));
  const reached = await Promise.all(url.split(',').map(async (address) => reach(address)));
  const open = reached.filter((why) => why === null).length;
  if (open === 0) {
    const fix =
      'start it where the fleet was made (nats-server -c …/fleet/nats.conf), or correct LOOPWATCH_NATS';
    return [...checks, failed('address', `nothing answers at ${url}: ${reached[0] ?? ''}`, fix)];
  }
  const isOne = reached.length === 1;
  const servers = isOne ? 'the server takes' : `${open} of ${reached.length} servers take`;
  checks.push(passed('address', `${servers} connections`));
  const { seed, ca, id: host } = identity;
  let connection: ServerConnection;
  try {
    connection = await connectToServer(url, { seed, ca, host });
  } catch (error) {
    return [...checks, ...refusedBy(error)];
  }
  try {
    checks.push(
      passed('tls', 'its certificate is the one of the fleet'),
      passed('key', 'it knows the key of this host'),
    );
    return [...checks, ...(await checkContent(connection, identity, url, given))];
  } catch (error) {
    const fix =
      'check the log of the server; in a cluster, that more than half of its servers run and reach each other';
    return [...checks, failed('streams', `nothing can be stored: ${messageOf(error)}`, fix)];
  } finally {
    await connection.close();
  }
}

async function checkContent(
  connection: ServerConnection,
  { id }: HostIdentity,
  url: string,
  { home, view, clock }: Circumstances,
): Promise<MembershipCheck[]> {
  const created = await provisionIfFounder(home, url);
  const missing = await missingStreams(connection);
  if (missing.length > 0) {
    const fix = 'on the host where the fleet was made: loopwatch fleet doctor';
    return [failed('streams', `the server has no ${missing.join(', ')}`, fix)];
  }
  const made = (created ?? []).length > 0 ? 'created now' : 'all there';
  const { differenceMs, present } = await compareClocks(connection, id, clock);
  const seconds = Math.round(Math.abs(differenceMs) / 1000);
  const isClose = Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS;
  return [
    passed('streams', made),
    isClose
      ? passed('clock', 'as the clock of the server')
      : failed(
          'clock',
          `${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'} the server`,
          'let both machines set their clocks by NTP',
        ),
    duplicate(view, present),
  ];
}

function duplicate(view: FleetView | null, present: boolean): MembershipCheck {
  const isSecond =
    view === null ? present : view.problem !== null && view.problem.code === 'duplicate_host_id';
  if (!isSecond) return passed('duplicate', 'no other daemon uses this key');
  return failed(
    'duplicate',
    'another daemon is there as this host, perhaps on a copy of this home',
    'give one of them a name of its own: loopwatch fleet invite NAME, and there: loopwatch fleet join LINK --replace',
  );
}

function refusedBy(error: unknown): MembershipCheck[] {
  const text = messageOf(error);
  if (/authorization|authentication/i.test(text)) {
    const fix =
      'this host was removed, or belongs to another fleet; get a new link with: loopwatch fleet invite NAME';
    return [
      passed('tls', 'its certificate is the one of the fleet'),
      failed('key', 'the server does not know the key of this host', fix),
    ];
  }
  const fix =
    'check that LOOPWATCH_NATS names the server of this fleet by a name its certificate has, or join again';
  return [failed('tls', `no trusted connection: ${text}`, fix)];
}

/** Null when something takes connections there; else why not. */
async function reach(url: string): Promise<string | null> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const host = hostname.replaceAll(/^\[|\]$/g, '');
    const socket = createConnection({ host, port: Number(port || '4222'), timeout: DIAL_MS });
    const end = (why: string | null) => {
      socket.destroy();
      resolve(why);
    };
    socket.on('connect', () => end(null));
    socket.on('timeout', () => end('no answer'));
    socket.on('error', (error) => end(systemCode(error) ?? error.message));
  });
}

function ownIdentity(home: string): HostIdentity | Error | null {
  try {
    return readHostIdentity(home);
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}

function passed(name: MembershipCheck['name'], detail: string): MembershipCheck {
  return { name, ok: true, detail, fix: null };
}

function failed(name: MembershipCheck['name'], detail: string, fix: string): MembershipCheck {
  return { name, ok: false, detail, fix };
}
