/** Two daemons of one fleet, for tests of the page. */
import type { Clock } from '../../../server/lib/clock.ts';
import { ApiClient } from '../daemon/api-client.ts';
import type { MemoryFleet } from './memory-carrier.ts';
import type { World } from '../daemon/world.ts';
import { type FleetHost, FleetWorld, OWNER_TOKEN, reaches } from './fleet-world.ts';

export interface TwoHosts extends AsyncDisposable {
  /** Whose page is opened. */
  alpha: FleetHost;
  /** The other one, `build-1`. */
  build: FleetHost;
  /** Whether others keep the list of that path of `build-1`, with `text` in it. */
  hasCopy(path: string, text: string): boolean;
  carried: MemoryFleet;
  /** Cuts a host off, `build-1` unless another is named: it keeps running. */
  cut(host?: FleetHost): void;
  /** What is sent to `build-1` waits, and no one notices. */
  hold(): void;
  heal(host?: FleetHost): void;
}

/**
 * `as`: an admin whom both hosts know, or the home of each, which counts nothing on the other.
 * `prepare` gets the world of each before its daemon starts.
 */
export async function startTwoHosts(
  as: 'owner' | 'home' = 'owner',
  clock?: Clock,
  prepare: (world: World, name: string) => void = () => undefined,
): Promise<TwoHosts> {
  const fleet = new FleetWorld(clock);
  const start = async (name: string): Promise<FleetHost> => {
    const host = await fleet.host(name, {}, null, (world) => prepare(world, name));
    if (as === 'home') return host;
    return { ...host, api: new ApiClient(host.daemon.url, OWNER_TOKEN) };
  };
  const alpha = await start('alpha');
  const build = await start('build-1');
  await reaches(alpha, 'build-1');
  return {
    alpha,
    build,
    carried: fleet.carried,
    hasCopy: (path, text) => {
      const copy = fleet.carried.copies.get(`${build.id} ${path}`);
      return Buffer.from(copy?.answer ?? []).includes(text);
    },
    cut: (host = build) => fleet.carried.cut(host.id),
    hold: () => fleet.carried.hold(build.id),
    heal: (host = build) => fleet.carried.heal(host.id),
    [Symbol.asyncDispose]: async () => fleet[Symbol.asyncDispose](),
  };
}
