/** Two daemons of one fleet, for tests of the page. */
import { ApiClient } from './api-client.ts';
import { type FleetHost, FleetWorld, OWNER_TOKEN, reaches } from './fleet-world.ts';

export interface TwoHosts extends AsyncDisposable {
  /** Whose page is opened. */
  alpha: FleetHost;
  /** The other one, `build-1`. */
  build: FleetHost;
  /** Whether others keep the list of that path of `build-1`, with `text` in it. */
  hasCopy(path: string, text: string): boolean;
  /** Cuts `build-1` off: it keeps running. */
  cut(): void;
  heal(): void;
}

/** `as`: an admin whom both hosts know, or the home of each, which counts nothing on the other. */
export async function startTwoHosts(as: 'owner' | 'home' = 'owner'): Promise<TwoHosts> {
  const fleet = new FleetWorld();
  const start = async (name: string): Promise<FleetHost> => {
    const host = await fleet.host(name);
    if (as === 'home') return host;
    return { ...host, api: new ApiClient(host.daemon.url, OWNER_TOKEN) };
  };
  const alpha = await start('alpha');
  const build = await start('build-1');
  await reaches(alpha, 'build-1');
  return {
    alpha,
    build,
    hasCopy: (path, text) => {
      const copy = fleet.carried.copies.get(`${build.id} ${path}`);
      return Buffer.from(copy?.answer ?? []).includes(text);
    },
    cut: () => fleet.carried.cut(build.id),
    heal: () => fleet.carried.heal(build.id),
    [Symbol.asyncDispose]: async () => fleet[Symbol.asyncDispose](),
  };
}
