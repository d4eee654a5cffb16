/** The part of this host in its fleet. Without one, nothing of it is opened or loaded. */
import { EVENT_SCHEMA } from '../../shared/rules/wire.ts';
import type { HostFacts } from '../../shared/schema/fleet.ts';
import type { Carrier } from '../fleet/carrier.ts';
import { FleetClaims } from '../fleet/claims.ts';
import { FleetLink } from '../fleet/fleet-link.ts';
import { type HostIdentity, readHostIdentity } from '../fleet/host-identity.ts';
import { FleetHosts } from '../fleet/hosts.ts';
import { PeopleCopy } from '../fleet/people-copy.ts';
import { keepPresent } from '../fleet/presence.ts';
import { Relay } from '../fleet/relay.ts';
import type { SharedWork } from '../fleet/shared-work.ts';
import { messageOf } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { type Config, ConfigError } from '../lib/config/config.ts';
import { packageVersion } from '../lib/package-root.ts';
import type { Log } from '../lib/log.ts';
import { randomId } from '../lib/random-id.ts';
import { Scope } from '../lib/scope.ts';
import type { PlanWindows } from '../usage/plan-windows.ts';
import type { DaemonOverrides } from './daemon-overrides.ts';
import type { Services } from './open-services.ts';
import type { Store } from './open-store.ts';

export type Fleet = Awaited<ReturnType<typeof openFleet>>;

/** Null: this host is alone. Throws a ConfigError for a home that never joined. */
export function fleetIdentity(
  { nats, home }: Readonly<Config>,
  { carrier }: Pick<DaemonOverrides, 'carrier'>,
): HostIdentity | null {
  if (nats === null && carrier === undefined) return null;
  const identity = readHostIdentity(home);
  if (identity !== null) return identity;
  throw new ConfigError(
    'LOOPWATCH_NATS is set, and this home belongs to no fleet. Join one with: loopwatch fleet join, ' +
      'or unset LOOPWATCH_NATS.',
  );
}

export async function openFleet(
  identity: HostIdentity,
  config: Readonly<Config>,
  { log, logger }: Store,
  {
    dispatcher,
    people,
    plan,
    windows,
    tasks,
  }: Pick<Services, 'dispatcher' | 'people' | 'plan' | 'windows' | 'tasks'>,
  { clock, carrier: given, work }: { clock: Clock; carrier: Carrier | undefined; work: SharedWork },
  scope: Scope,
) {
  const instance = randomId();
  const startedAt = toIso(clock.now());
  const self = (): HostFacts => ({
    id: identity.id,
    name: identity.name,
    instance,
    version: packageVersion(),
    started_at: startedAt,
    labels: [...config.hostLabels],
    epoch: log.epoch,
    head: log.head,
    event_schema: EVENT_SCHEMA,
    free_slots: dispatcher.freeSlots(),
    queue_length: dispatcher.queueLength(),
    plan_left: planLeft(windows.now(), clock.now()),
    plan: plan.own(),
    repositories: tasks.repositories.keys(),
  });
  const carrier = given ?? (await connect(identity, instance, config, { clock, logger }));
  // Ends early when another daemon has the same id: two would disturb each other's channels.
  const part = new Scope();
  part.own(async () => carrier.close());
  scope.own(async () => part.dispose());
  const link = new FleetLink({
    carrier,
    clock,
    log,
    logger,
    onDuplicate: () => void part.dispose(),
  });
  scope.own(() => link.dispose());
  const hosts = new FleetHosts({
    carrier,
    self,
    clock,
    log,
    logger,
    twin: () => link.duplicate(),
    heard: (known) => plan.hear(known),
  });
  scope.own(() => hosts.dispose());
  const { id: host, name } = identity;
  /** Calls `serve` once no other daemon has the id of this host, and copies its log from then on. */
  const begin = (serve: () => void) => {
    const relay = new Relay({
      carrier,
      events: log,
      clock,
      log: logger,
      host,
      instance,
      alone: () => {
        const onChange = (say: () => void) => tasks.repositories.watch(say);
        part.own(keepPresent({ carrier, self, clock, logger, onChange }));
        const copy = new PeopleCopy({ carrier, people: people.shared, log: logger });
        part.own(() => copy.dispose());
        work.open(carrier, hosts);
        part.own(() => work.close());
        serve();
      },
      duplicate: () => link.duplicate(),
    });
    part.own(() => relay.close());
  };
  const view = () => hosts.view(link.problem);
  const claims = new FleetClaims({ carrier, hosts: () => view().hosts, log });
  return {
    id: host,
    name,
    self,
    carrier,
    hosts,
    link,
    part,
    begin,
    view,
    claims,
  };
}

/** Percent of the fuller window that are left; null when none is known since its last reset. */
function planLeft(windows: ReturnType<PlanWindows['now']>, nowMs: number): number | null {
  const current = Object.values(windows).filter((window) => window !== null);
  const left = current
    .filter(({ resets_at }) => Date.parse(resets_at) > nowMs)
    .map(({ used_percent }) => Math.min(100, Math.max(0, 100 - used_percent)));
  return left.length === 0 ? null : Math.min(...left);
}

/** Loaded only for a host of a fleet. */
async function connect(
  identity: HostIdentity,
  instance: string,
  { home, nats }: Readonly<Config>,
  { clock, logger: log }: { clock: Clock; logger: Log },
): Promise<Carrier> {
  const { connectCarrier } = await import('../fleet/nats/nats-carrier.ts');
  const { provisionIfFounder } = await import('../fleet/membership/as-founder.ts');
  const url = nats ?? '';
  const carrier = await connectCarrier({ url, identity, instance, clock, log });
  // With each connection: the server may be new, or have lost what it stored.
  const provision = async () => {
    try {
      const created = await provisionIfFounder(home, url);
      if (created !== null && created.length > 0) log.info({ created }, 'set up the fleet');
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'cannot check what the fleet has on its server');
    }
  };
  carrier.onConnection((isConnected) => {
    if (isConnected) void provision();
  });
  if (carrier.isConnected) void provision();
  return carrier;
}
