/** A host of a fleet as a process of its own, behind a proxy: it can be killed, cut off and slowed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HostIdentity } from '../../../server/fleet/host-identity.ts';
import { SoakLoops } from '../../stress/soak/soak-loops.ts';
import { ApiClient } from '../daemon/api-client.ts';
import { CutProxy } from '../browser/cut-proxy.ts';
import { joinFleet, OWNER_TOKEN } from './fleet-world.ts';
import { hostIdentity, type NatsServer } from './nats-server.ts';
import type { Random } from '../house/random.ts';
import { SmallDisk } from '../drills/small-disk.ts';
import { until } from '../house/until.ts';
import { type SpawnedDaemon, World } from '../daemon/world.ts';

/** Between two signals of its loop. */
const SIGNAL_MS = 300;
/** Lets the test set the time of day of a daemon; timers and durations stay right, as in life. */
const SETTABLE = `import { readFileSync } from 'node:fs';
const { now } = Date;
const read = () => Number(readFileSync(new URL('ahead', import.meta.url), 'utf8'));
let ahead = read();
Date.now = () => now() + ahead;
process.on('SIGUSR2', () => (ahead = read()));
`;

export class FleetProcess {
  readonly identity: HostIdentity;
  readonly proxy: CutProxy;
  readonly #world: World;
  readonly #twin: World;
  readonly #disk: SmallDisk;
  readonly #random: Random;
  #daemon: SpawnedDaemon | null = null;
  #aheadMs = 0;

  private constructor(name: string, proxy: CutProxy, random: Random, diskKib: number) {
    this.identity = hostIdentity(name);
    this.proxy = proxy;
    this.#random = random;
    const settings = { LOOPWATCH_NATS: proxy.url };
    this.#world = new World(settings);
    this.#disk = new SmallDisk(this.#world.home, diskKib);
    joinFleet(this.#world.home, this.identity);
    this.#twin = new World(settings);
    joinFleet(this.#twin.home, this.identity);
    const preload = join(this.#world.root, 'settable.mjs');
    writeFileSync(preload, SETTABLE);
    this.#saveTime();
    this.#world.environment['NODE_OPTIONS'] = `--import ${pathToFileURL(preload).href}`;
  }

  static async start(
    name: string,
    server: NatsServer,
    { random, diskKib }: { random: Random; diskKib: number },
  ): Promise<FleetProcess> {
    const proxy = await CutProxy.listen(() => server.port);
    const host = new FleetProcess(name, proxy, random, diskKib);
    await host.resume();
    return host;
  }

  get name(): string {
    return this.identity.name;
  }

  get world(): World {
    return this.#world;
  }

  /** Null while its daemon is dead. */
  get api(): ApiClient | null {
    return this.#daemon && new ApiClient(this.#daemon.url, OWNER_TOKEN);
  }

  /** This host, or the one with that name as this one shows it. Throws while its daemon is dead. */
  asks(other: FleetProcess): ApiClient {
    const { api } = this;
    if (api === null) throw new Error(`${this.name} is dead`);
    return other === this ? api : new ApiClient(`${api.url}/hosts/${other.name}`, OWNER_TOKEN);
  }

  async resume(): Promise<void> {
    this.#daemon ??= await this.#world.spawn();
  }

  /** kill -9. */
  async kill(): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = null;
    await daemon?.kill();
  }

  /** The loop of its agent runs, or is started again. */
  async keepWorking(): Promise<void> {
    await new SoakLoops(this.#world, this.asks(this), this.#random, 1, SIGNAL_MS).keepUp();
  }

  /** Another daemon with the id of this host starts, must see that it is the second, and dies. */
  async meetTwin(): Promise<void> {
    const twin = await this.#twin.spawn();
    const api = new ApiClient(twin.url, OWNER_TOKEN);
    let problem: unknown = null;
    await until(
      'the twin says that it is the second',
      async () => {
        problem = (await api.get('/api/hosts')).body['problem'];
        return (problem as { code: string } | null)?.code === 'duplicate_host_id';
      },
      () => problem,
    );
    await twin.kill();
  }

  /** The time of day of its daemon jumps; it stays so over the next jumps and deaths. */
  jump(byMs: number): void {
    this.#aheadMs += byMs;
    this.#saveTime();
    this.#daemon?.process.kill('SIGUSR2');
  }

  fillDisk(): void {
    this.#disk.fill();
  }

  freeDisk(): void {
    this.#disk.free();
  }

  #saveTime(): void {
    writeFileSync(join(this.#world.root, 'ahead'), String(this.#aheadMs));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.freeDisk();
    await this.#twin[Symbol.asyncDispose]();
    this.#disk[Symbol.dispose]();
    await this.#world[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
  }
}
