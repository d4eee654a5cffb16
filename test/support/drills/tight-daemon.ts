/** A daemon with a heap too small for its work: each time it dies of that, the next one is started. */
import { SoakLoops } from '../../stress/soak/soak-loops.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { DaemonStory } from './daemon-events.ts';
import type { Random } from '../house/random.ts';
import type { SpawnedDaemon, World } from '../daemon/world.ts';

/** Between two signals of a loop. */
const SIGNAL_MS = 50;

export class TightDaemon {
  readonly story = new DaemonStory();
  /** How each daemon ended that ended on its own. */
  readonly deaths: unknown[] = [];
  readonly #world: World;
  readonly #random: Random;
  readonly #loops: number;
  readonly #mostDeaths: number;
  #daemon: SpawnedDaemon | null = null;

  /** After `mostDeaths` it gets a normal heap. */
  constructor(world: World, random: Random, size: { loops: number; mostDeaths: number }) {
    this.#world = world;
    this.#random = random;
    this.#loops = size.loops;
    this.#mostDeaths = size.mostDeaths;
  }

  get api(): ApiClient | null {
    return this.#daemon?.api ?? null;
  }

  get pid(): number {
    return this.#daemon?.process.pid ?? 0;
  }

  /** Starts what does not run and reads what is new; what a death cuts off is left to the next round. */
  async round(): Promise<void> {
    try {
      const api = await this.living();
      await new SoakLoops(this.#world, api, this.#random, this.#loops, SIGNAL_MS).keepUp();
      await this.story.read(api);
    } catch (error) {
      if (!this.#isDead() && !String(error).includes('fetch failed')) throw error;
    }
  }

  /** The current daemon. */
  async living(): Promise<ApiClient> {
    if (this.#daemon !== null && !this.#isDead()) return this.#daemon.api;
    if (this.#daemon !== null) {
      const { signalCode, exitCode } = this.#daemon.process;
      this.deaths.push(signalCode ?? exitCode);
    }
    this.#daemon = null;
    if (this.deaths.length >= this.#mostDeaths) return this.relieved();
    try {
      this.#daemon = await this.#world.spawn();
    } catch {
      this.deaths.push('at its start');
      return this.relieved();
    }
    return this.#daemon.api;
  }

  /** A daemon with a normal heap, replacing the current one. */
  async relieved(): Promise<ApiClient> {
    await this.#daemon?.kill();
    this.#world.environment['NODE_OPTIONS'] = '';
    this.#daemon = await this.#world.spawn();
    return this.#daemon.api;
  }

  #isDead(): boolean {
    const { exitCode = null, signalCode = null } = this.#daemon?.process ?? {};
    return this.#daemon !== null && (exitCode !== null || signalCode !== null);
  }
}
