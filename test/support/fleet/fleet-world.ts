/** Several homes of one fleet, their daemons in this process, on the carrier of tests. */
import type { Daemon } from '../../../server/daemon/daemon.ts';
import { openDatabase } from '../../../server/db/database.ts';
import type { Carrier } from '../../../server/fleet/carrier.ts';
import type { Clock } from '../../../server/lib/clock.ts';
import {
  type HostIdentity,
  readHostIdentity,
  saveHostIdentity,
} from '../../../server/fleet/host-identity.ts';
import { hashSecret } from '../../../server/people/one-time-secrets.ts';
import { PersonStore } from '../../../server/people/person-store.ts';
import { personKey } from '../../../shared/schema/people/person-name.ts';
import { ApiClient } from '../daemon/api-client.ts';
import { makeHome } from '../drills/empty-database.ts';
import type { ManualClock } from '../house/manual-clock.ts';
import { MemoryFleet } from './memory-carrier.ts';
import { hostIdentity } from './nats-server.ts';
import { until } from '../house/until.ts';
import { World } from '../daemon/world.ts';

/** Of an admin whom every host knows, as people of a fleet are. */
export const OWNER_TOKEN = 't'.repeat(43);

export interface FleetHost {
  id: string;
  world: World;
  daemon: Daemon;
  /** The host itself, with the token of its home. */
  api: ApiClient;
}

export class FleetWorld {
  readonly carried: MemoryFleet;
  readonly #clock: Clock | undefined;
  readonly #worlds: World[] = [];

  /** All daemons and what is between them live by one clock. */
  constructor(clock?: Clock) {
    this.#clock = clock;
    this.carried = new MemoryFleet(clock);
  }

  /** A home, in no fleet yet. */
  world(settings: Record<string, string> = {}): World {
    const world = new World({ LOOPWATCH_TERMINAL: 'pty', ...settings });
    this.#worlds.push(world);
    return world;
  }

  /**
   * A host with its daemon; `nats`: on that server in place of the carrier of tests. `prepare` gets
   * its world before the daemon starts.
   */
  async host(
    name: string,
    settings: Record<string, string> = {},
    nats: string | null = null,
    prepare: (world: World) => void = () => undefined,
  ): Promise<FleetHost> {
    return this.#start(hostIdentity(name), settings, nats, prepare);
  }

  /** A home that joined the fleet on that server; its daemon is for the test to start. */
  joined(name: string, nats: string): World {
    const world = this.world({ LOOPWATCH_NATS: nats });
    joinFleet(world.home, hostIdentity(name));
    return world;
  }

  /** Another home with the same identity, as of a machine that was cloned. */
  async copyOf({ id, world: original }: FleetHost, nats: string | null = null): Promise<FleetHost> {
    const identity = readHostIdentity(original.home);
    if (identity === null) throw new Error(`${id} is in no fleet`);
    return this.#start(identity, {}, nats);
  }

  async #start(
    identity: HostIdentity,
    settings: Record<string, string>,
    nats: string | null,
    prepare: (world: World) => void = () => undefined,
  ): Promise<FleetHost> {
    const world = this.world(nats === null ? settings : { ...settings, LOOPWATCH_NATS: nats });
    const { id } = identity;
    joinFleet(world.home, identity);
    prepare(world);
    const more = nats === null ? { carrier: this.carried.join(id) } : {};
    return { id, world, ...(await world.start(this.#clock, more)) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const world of this.#worlds.reverse()) await world[Symbol.asyncDispose]();
  }
}

/** Hosts `one` and `two`, and `one` reaches `two`. */
export class FleetPair extends FleetWorld {
  one!: FleetHost;
  two!: FleetHost;
}

export async function openPair(
  settings: Record<string, string> = {},
  clock?: ManualClock,
): Promise<FleetPair> {
  const pair = new FleetPair(clock);
  pair.one = await pair.host('one', settings);
  pair.two = await pair.host('two', settings);
  await reaches(pair.one, 'two', clock);
  return pair;
}

/** The host with that name as `node` shows it, to the one with the token. */
export function through(node: FleetHost, token: string, name = 'two'): ApiClient {
  return new ApiClient(`${node.daemon.url}/hosts/${name}`, token);
}

/** `clock`: the one that all daemons live by, when a test moves it. */
export async function reaches(
  { api }: FleetHost,
  name: string,
  clock?: ManualClock,
): Promise<void> {
  await until(`${name} can be reached`, async () => {
    clock?.advance(100);
    const { body } = await api.get('/api/hosts');
    const hosts = body['hosts'] as { name: string; state: string }[];
    return hosts.some((host) => host.name === name && host.state === 'reachable');
  });
}

/** A new home of that host, which knows the owner. */
export function joinFleet(home: string, identity: HostIdentity): void {
  makeHome(home);
  addOwner(home);
  saveHostIdentity(home, identity);
}

/** The end of a new home in a fleet in which a host that died has the claim `k`. */
export function withClaimOfDead(home: string): Carrier {
  const identity = hostIdentity('one');
  joinFleet(home, identity);
  const fleet = new MemoryFleet();
  fleet.held.set('k', { key: 'k', host: 'dead0123456789ABCDEF', work: 'task t', revision: 1 });
  return fleet.join(identity.id);
}

function addOwner(home: string): void {
  const database = openDatabase(home);
  new PersonStore(database).insert({
    id: '0'.repeat(20),
    name: 'Owner',
    nameKey: personKey('Owner'),
    role: 'admin',
    tokenHash: hashSecret(OWNER_TOKEN),
    linkHash: null,
    linkExpiresAt: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    joinedAt: '2026-01-01T00:00:00.000Z',
    lastSeenAt: null,
  });
  database.close();
}
